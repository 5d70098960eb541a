package graph

import "testing"

func TestParseDraft(t *testing.T) {
	for name, want := range map[string]Draft{
		"4": Draft4, "draft4": Draft4, "draft-04": Draft4, "6": Draft6, "draft-06": Draft6, "draft7": Draft7, "7": Draft7,
		"2019-09": Draft2019, "draft2019-09": Draft2019, "2020-12": Draft2020, "draft2020-12": Draft2020,
		"openapi-3.0": OpenAPI30, "openapi-3.1": Draft2020, "": 0, "5": 0, "draft": 0, "draft3": 0, "2020": 0, "openapi": 0,
	} {
		if got, ok := ParseDraft(name); got != want || ok != (want != 0) {
			t.Errorf("%q is %v, %v", name, got, ok)
		}
	}
	for _, d := range []Draft{Draft4, OpenAPI30, Draft6, Draft7, Draft2019, Draft2020} {
		if got, _ := ParseDraft(d.String()); got != d {
			t.Errorf("%v reads as %v", d, got)
		}
	}
}

package metaschema

import (
	"strings"
	"testing"
)

// TestFind holds that each meta-schema is found by the address that it gives itself,
// whatever the scheme, and that a name beside the list finds nothing.
func TestFind(t *testing.T) {
	uris := URIs()
	if len(uris) != 19 {
		t.Errorf("%d meta-schemas: %v", len(uris), uris)
	}
	for _, uri := range uris {
		doc := Find("http://" + uri)
		if doc == nil || doc != Find("https://"+uri) {
			t.Fatalf("%s is not found by both schemes", uri)
		}
		id := doc.Root.Get("$id")
		if strings.Contains(uri, "draft-04") {
			id = doc.Root.Get("id")
		}
		if id == nil || key(strings.TrimSuffix(id.Text, "#")) != uri {
			t.Errorf("%s calls itself %v", uri, id)
		}
	}
	for _, uri := range []string{"", "http://json-schema.org/draft-04/schema.json", "https://json-schema.org/draft/2020-12", "https://example.org/draft-07/schema"} {
		if Find(uri) != nil {
			t.Errorf("%q is found", uri)
		}
	}
}

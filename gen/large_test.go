package gen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/contractkit/contractkit/internal/testkit/module"
)

// TestLargeDefault keeps long defaults from becoming expressions: Go takes minutes to compile
// one of some ten thousand values. What they are decoded to is tested among odd schemas.
func TestLargeDefault(t *testing.T) {
	for n, decoded := range map[int]bool{3: false, 5000: true} {
		schema := fmt.Sprintf(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "large.v1", "title": "Large", "type": "object",
"properties": {"l": {"type": "array", "items": {"type": "integer"}, "default": [%s1]}}}`, strings.Repeat("1,", n-1))
		var all strings.Builder
		for _, f := range emitAll(t, "default", &txtar.Archive{Files: []txtar.File{{Name: "schemas/large.v1.json", Data: []byte(schema)}}}) {
			if strings.HasSuffix(f.Name, ".go") {
				all.Write(f.Data)
			}
		}
		if strings.Contains(all.String(), "DecodeDefault(") != decoded {
			t.Errorf("a default of %d values is to be decoded: %v", n, decoded)
		}
	}
}

// TestLargeObjects emits objects of so many members that their functions are spread
// over several, and asks the compiled Go what it thinks of documents.
func TestLargeObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const members = 400
	dir := newModule(t)
	for _, test := range []struct {
		name       string
		closed     string // what is said of other members
		required   int    // every how manieth member is required; 0 is none
		valid, not []string
	}{
		{"closed", `"additionalProperties": false`, 5, nil, []string{`"other": 1`, `"m10": "x"`, `"m398": true`}},
		{"patterned", `"additionalProperties": false, "patternProperties": {"^x": {"type": "string"}}`, 50,
			[]string{`"x1": "y"`}, []string{`"x1": 1`, `"other": "x"`, `"m10": "x"`}},
		{"typed", `"additionalProperties": {"type": "string"}`, 0, []string{`"other": "y"`, `"zz": ""`}, []string{`"other": 1`, `"m10": "x"`}},
		{"open", `"additionalProperties": true`, 60, []string{`"other": [1]`, `"": null`}, []string{`"m10": "x"`, `"m0": []`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var properties, required, document []string
			for i := range members {
				properties = append(properties, fmt.Sprintf(`"m%d": %s`, i, []string{`{"type": "integer"}`, `{"type": "integer", "default": 3}`, `{"const": 1}`, `{}`}[i%4]))
				document = append(document, fmt.Sprintf(`"m%d":1`, i))
				if test.required > 0 && i%test.required == 0 {
					required = append(required, fmt.Sprintf(`"m%d"`, i))
				}
			}
			schema := fmt.Sprintf(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "large.v1", "title": "Large", "type": "object",
"required": [%s], %s, "properties": {%s}}`, strings.Join(required, ","), test.closed, strings.Join(properties, ","))
			for _, f := range emitAll(t, test.name, &txtar.Archive{Files: []txtar.File{{Name: "schemas/large.v1.json", Data: []byte(schema)}}}) {
				if strings.HasSuffix(f.Name, ".go") {
					if strings.Contains(f.Name, "large_v1") && !strings.Contains(string(f.Data), "2LargeV1(") {
						t.Errorf("%s has no function that is spread over several", f.Name)
					}
					module.Write(t, dir, test.name+f.Name[strings.LastIndex(f.Name, "/"):], f.Data)
				}
			}
			whole := "{" + strings.Join(document, ",") + "}"
			valid, not := []string{whole}, []string{"[]"}
			for _, more := range test.valid {
				valid = append(valid, strings.TrimSuffix(whole, "}")+","+more+"}")
			}
			for _, more := range test.not {
				name, _, _ := strings.Cut(more, ":")
				rest := whole
				if strings.Contains(whole, name+":1,") {
					rest = strings.Replace(whole, name+":1,", "", 1)
				} else {
					rest = strings.Replace(whole, ","+name+":1", "", 1)
				}
				not = append(not, strings.TrimSuffix(rest, "}")+","+more+"}")
			}
			if len(required) > 0 {
				last := required[len(required)-1]
				not = append(not, strings.Replace(strings.Replace(whole, last+":1,", "", 1), ","+last+":1}", "}", 1))
			} else {
				valid = append(valid, "{}")
			}
			lists, err := json.Marshal([][]string{valid, not})
			if err != nil {
				t.Fatal(err)
			}
			module.Write(t, dir, test.name+"/documents.json", lists)
			module.Write(t, dir, test.name+"/large_test.go", []byte(strings.Replace(largeUse, "PACKAGE", test.name, 1)))
		})
	}
	module.Go(t, dir, "vet", "./...")
	module.Go(t, dir, "test", "./...")
}

const largeUse = `package PACKAGE

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"testing"
)

//go:embed documents.json
var documents []byte

func Test(t *testing.T) {
	var lists [2][]string
	if err := json.Unmarshal(documents, &lists); err != nil {
		t.Fatal(err)
	}
	for _, text := range lists[0] {
		x, err := DecodeLargeV1([]byte(text))
		if err != nil {
			t.Errorf("%v: %.80s…%s", err, text, text[max(0, len(text)-40):])
			continue
		}
		var want, got any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(x.AppendJSON(nil), &got); err != nil || !reflect.DeepEqual(want, got) {
			t.Errorf("%s is written as %s: %v", text, x.AppendJSON(nil), err)
		}
	}
	for _, text := range lists[1] {
		if len(ValidateLargeV1([]byte(text))) == 0 {
			t.Errorf("nothing is wrong with %.80s…%s", text, text[max(0, len(text)-40):])
		}
		if _, err := DecodeLargeV1([]byte(text)); err == nil {
			t.Errorf("decoded: %.80s…%s", text, text[max(0, len(text)-40):])
		}
	}
}
`

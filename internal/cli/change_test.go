package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// Generated code, eval by both engines and validate --old say the same of a change, also
// where the document before it is none that rules could speak of.
func TestChangesAreJudgedAlike(t *testing.T) {
	minimal := projection(t, "minimal")
	broken := projection(t, "minimal", `"exhausted": false`, `"exhausted": true`)
	back := projection(t, "minimal", `"running"`, `"admitted"`)
	tests := []struct{ name, old, data string }{
		{"fine", minimal, minimal},
		{"a broken change", minimal, back},
		{"old is null", "null", minimal},
		{"old is null and the change broken", "null", back},
		{"old lacks all", `{}`, minimal},
		{"old breaks a rule", broken, minimal},
		{"old breaks a rule and the change is broken", broken, back},
		{"both break a rule", broken, broken},
		{"the current one breaks a rule", minimal, broken},
		{"the current one breaks a rule and the change is broken", minimal, projection(t, "minimal", `"exhausted": false`, `"exhausted": true`, `"running"`, `"admitted"`)},
		{"both are none", `7`, `"x"`},
		{"no rule speaks of changes", actor, actor},
		{"nor of this one, whose old is null", "null", actor},
		{"nor of this one, whose old is another", minimal, actor},
	}
	schemaOf := func(name string) string {
		if strings.HasPrefix(name, "no") {
			return catalog.ActorRefSchemaID
		}
		return catalog.TaskToPRProjectionSchemaID
	}
	var requests []string
	for _, tt := range tests {
		requests = append(requests, fmt.Sprintf(`{"id":1,"fn":"transition","schema":%q,"input":{"previous":%s,"current":%s}}`, schemaOf(tt.name), tt.old, tt.data))
	}
	answers := map[string][]evalAnswer{"compiled": ask(t, "compiled", requests), "interpreter": ask(t, "interpreter", requests)}
	for n, tt := range tests {
		id := schemaOf(tt.name)
		var want []string
		for _, i := range catalog.ValidateTransitionAs(id, []byte(tt.old), []byte(tt.data)) {
			want = append(want, string(i.Code)+" "+i.Path)
		}
		slices.Sort(want)
		for engine := range answers {
			answer := answers[engine][n]
			var got []string
			for _, i := range answer.Issues {
				path := strings.TrimPrefix(i.Path, "/current")
				if rest, old := strings.CutPrefix(path, "/previous"); old {
					path = "/oldSelf" + rest
				}
				got = append(got, string(i.Code)+" "+path)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || answer.Error != "" || answer.Valid != (want == nil) {
				t.Errorf("%s: eval, %s: %v %s, generated code %v", tt.name, engine, got, answer.Error, want)
			}
		}
		env, out := testEnv(t, "")
		for name, text := range map[string]string{"old.json": tt.old, "new.json": tt.data} {
			if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		Main([]string{"validate", "--json", "--schema", id, "--old", "old.json", "new.json"}, env)
		var report Validation
		if err := json.Unmarshal(bytes.TrimSpace(out.Bytes()), &report); err != nil {
			t.Fatalf("%s: %v: %s", tt.name, err, out)
		}
		var got, paths []string
		for _, i := range report.Issues {
			prefix := ""
			if i.Old {
				prefix = "/oldSelf"
			}
			got = append(got, prefix+i.Pointer)
		}
		for _, w := range want {
			_, path, _ := strings.Cut(w, " ")
			paths = append(paths, path)
		}
		slices.Sort(got)
		slices.Sort(paths)
		if !slices.Equal(got, paths) || report.OK != (want == nil) {
			t.Errorf("%s: validate --old: %v, generated code %v", tt.name, got, want)
		}
	}
}

package crd

import (
	"testing"

	"github.com/contractkit/contractkit/internal/source"
)

// TestGroup refuses groups that would lead out of the folder.
func TestGroup(t *testing.T) {
	for group, fine := range map[string]bool{"example.com": true, "../../x": false, "/x": false, "a/b": false} {
		text := "kind: CustomResourceDefinition\nspec:\n  group: " + group + "\n  names: {plural: ws, kind: W}\n  versions: [{name: v1, schema: {openAPIV3Schema: {type: object}}}]\n"
		if _, err := Read("a.yaml", []byte(text), source.Limits{}); (err == nil) != fine {
			t.Errorf("%s: %v", group, err)
		}
	}
}

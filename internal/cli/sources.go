package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path"

	"github.com/contractkit/contractkit/gen/bundle"
	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
)

// maxProvenance bounds the provenance artifact on the disk, in bytes.
const maxProvenance = 64 << 20

// changedSources names the schemas that are not those from which the files on the
// disk were made: it compares the provenance artifacts of set with those on the
// disk. A provenance that is missing or malformed tells nothing; that the file
// differs is reported anyway.
func changedSources(set *closure.Set, dir string) (diag.List, error) {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the project folder: %w", err)
	}
	defer top.Close()
	var list diag.List
	for _, f := range set.Files() {
		if f.Contract == "" || path.Base(f.Path) != bundle.ProvenanceFile {
			continue
		}
		var now, then bundle.Provenance
		if err := json.Unmarshal(f.Data, &now); err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		data, err := closure.ReadFile(top, f.Path, maxProvenance)
		if err != nil || json.Unmarshal(data, &then) != nil {
			continue
		}
		old := map[string]string{}
		for _, s := range then.Sources {
			old[s.Path] = s.SHA256
		}
		for _, s := range now.Sources {
			switch digest, known := old[s.Path]; {
			case !known:
				list.Add(sourceChanged(s.Path, "the schema is new"))
			case digest != s.SHA256:
				list.Add(sourceChanged(s.Path, "the schema was changed"))
			}
			delete(old, s.Path)
		}
		for _, s := range then.Sources {
			if _, gone := old[s.Path]; gone && closure.CleanPath(s.Path) {
				list.Add(sourceChanged(s.Path, "the schema is gone"))
			}
		}
	}
	return list, nil
}

func sourceChanged(file, what string) diag.Diagnostic {
	return diag.Diagnostic{Code: "output.source-changed", Pos: diag.Pos{File: file}, Message: what + " since the files were generated", Hint: "run contracts generate"}
}

package migrate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/contractkit/contractkit/internal/testkit/shared"
	"github.com/contractkit/contractkit/runtime/pack/internal/canon"
)

func TestVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			ID       string
			Manifest struct {
				Version    string
				Migrations []struct {
					From, To, Description string
					Steps                 []Step
				}
			}
			State, Receipt json.RawMessage
			StateAfter     json.RawMessage `json:"state_after"`
		}
	}
	if err := json.Unmarshal(shared.Read(t, "vectors", "pack", "migrations.json"), &v); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Cases {
		s, err := ParseState(c.State)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		p := Pack{ID: s.PackID, Version: c.Manifest.Version}
		for _, m := range c.Manifest.Migrations {
			p.Migrations = append(p.Migrations, Migration{m.From, m.To, m.Description, m.Steps})
		}
		dir := t.TempDir()
		store := open(t, dir, s)
		r, err := Run(t.Context(), store, p, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		got, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		covers(t, c.ID+": receipt", parse(t, got), parse(t, c.Receipt))
		after, err := os.ReadFile(filepath.Join(dir, s.PackID+".state.json"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := canon.Digest(parse(t, after)), canon.Digest(parse(t, c.StateAfter)); got != want || got != r.StateAfter {
			t.Errorf("%s: the state is\n%s\nwant\n%s", c.ID, after, c.StateAfter)
		}
	}
	if len(v.Cases) < 15 {
		t.Errorf("only %d cases", len(v.Cases))
	}
}

func open(t *testing.T, dir string, s *State) *FileStore {
	t.Helper()
	store, err := OpenFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if s != nil {
		if err := store.Install(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func parse(t *testing.T, data []byte) any {
	t.Helper()
	v, err := canon.Parse(data)
	if err != nil {
		t.Fatalf("%v:\n%s", err, data)
	}
	return v
}

// covers compares the members that want has.
func covers(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for name, v := range want {
			covers(t, at+"/"+name, object[name], v)
		}
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			t.Errorf("%s: %d elements, want %d", at, len(list), len(want))
			return
		}
		for i := range want {
			covers(t, at, list[i], want[i])
		}
	default:
		if got != want {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	}
}

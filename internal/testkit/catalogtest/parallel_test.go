package catalogtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/contractkit/contractkit/generated/go/catalog"
	"github.com/contractkit/contractkit/runtime/contract"
)

// TestParallel has goroutines validate all fixtures at once, each in another order: what
// they share is given back in the state in which it was taken. It is for -race, too.
func TestParallel(t *testing.T) {
	paths, err := filepath.Glob(filepath.FromSlash("../../../schemas/catalog/fixtures/*.json"))
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d fixtures: %v", len(paths), err)
	}
	type fixture struct {
		name, want string
		data       []byte
	}
	judge := func(data []byte) string {
		_, issues := catalog.Validate(data)
		return fmt.Sprint([]contract.Issue(issues))
	}
	var list []fixture
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fixture{filepath.Base(p), judge(data), data})
	}
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			for i := range 3 * len(list) {
				f := &list[(i*(2*g+1)+g)%len(list)]
				if got := judge(f.data); got != f.want {
					t.Errorf("%s: %s, want %s", f.name, got, f.want)
					return
				}
			}
		})
	}
	wait.Wait()
}

// Package kube holds the import of Kubernetes' rules to what an API server said of
// real definitions and documents.
package kube

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/crd"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/testkit/shared"
	"github.com/contractkit/contractkit/internal/witness"
	"github.com/contractkit/contractkit/runtime/contract"
)

type definition struct {
	ID      string
	Version crd.Version
}

// definitions reads the files under crds/.
func definitions(t testing.TB, dir string) []definition {
	t.Helper()
	var out []definition
	err := filepath.WalkDir(filepath.Join(dir, "crds"), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		doc, err := source.Parse(filepath.Base(name), data, source.Limits{})
		if err != nil {
			return err
		}
		id := doc.Root.Get("id").Text
		out = append(out, definition{id, crd.Version{
			Name: strings.ReplaceAll(id, "/", "_"), Group: doc.Root.Get("group").Text, Kind: doc.Root.Get("kind").Text,
			Version: doc.Root.Get("version").Text, Schema: doc.Root.Get("schema"), Pos: diag.Pos{File: id},
		}})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refused are the two definitions whose rules name a member that is not there.
var refused = []string{
	"openshift/ExternalOIDCExternalClaimsSourcing/authentications.v1",
	"openshift/ExternalOIDCWithUpstreamParity/authentications.v1",
}

type loaded struct {
	m    *model.Model
	set  *rules.Set
	in   *interp.Interp
	root map[string]model.Ref // by definition
}

// load imports definitions into one contract and checks its rules.
func load(t testing.TB, list []definition) (*loaded, error) {
	t.Helper()
	var versions []crd.Version
	for _, d := range list {
		versions = append(versions, d.Version)
	}
	files, err := crd.Import(versions)
	if err != nil {
		return nil, err
	}
	checked, _, err := crd.Load(files)
	if err != nil {
		return nil, err
	}
	m := checked.Model
	in, err := interp.New(m)
	if err != nil {
		return nil, err
	}
	l := &loaded{m: m, set: checked, in: in, root: map[string]model.Ref{}}
	for _, d := range list {
		for i := range m.Documents {
			if m.Documents[i].Path == d.Version.Name+".json" {
				l.root[d.ID] = m.Documents[i].Root
			}
		}
	}
	return l, nil
}

type testCase struct {
	ID, CRD     string
	Doc, OldDoc json.RawMessage
	Valid       bool
	Violations  []struct {
		Path, Rule, Message, RuleAt, Error string
	}
}

func cases(t testing.TB, dir string) []testCase {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "cases.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []testCase
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c testCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRefused(t *testing.T) {
	for _, d := range definitions(t, shared.Path(t, "cel-rules")) {
		if !slices.Contains(refused, d.ID) {
			continue
		}
		_, err := load(t, []definition{d})
		list, ok := errors.AsType[diag.List](err)
		if !ok || !slices.ContainsFunc(list, func(d diag.Diagnostic) bool {
			return d.Code == "rules.type" && strings.Contains(d.Message, "undefined field")
		}) {
			t.Errorf("%s: %v; want rules.type for an undefined field", d.ID, err)
		}
	}
}

// TestCases compares verdicts, broken rules and their paths, interpreted and compiled.
func TestCases(t *testing.T) {
	dir := shared.Path(t, "cel-rules")
	list := slices.DeleteFunc(definitions(t, dir), func(d definition) bool { return slices.Contains(refused, d.ID) })
	l, err := load(t, list)
	if err != nil {
		t.Fatalf("%.4000v", err)
	}
	e, err := l.set.Evaluator(l.in)
	if err != nil {
		t.Fatal(err)
	}
	all := cases(t, dir)
	if testing.Short() {
		all = all[:len(all)/10]
	}
	t.Run("interpreted", func(t *testing.T) {
		judged := 0
		for _, c := range all {
			r := l.root[c.CRD]
			if issues := l.in.Validate(r, c.Doc); issues != nil {
				t.Errorf("%s: structure: %v", c.ID, issues[0])
				continue
			}
			var got contract.Issues
			if c.OldDoc != nil {
				got = e.Transition(r, c.OldDoc, c.Doc)
			} else {
				got = e.Validate(r, c.Doc)
			}
			judged++
			compare(t, c, got)
		}
		t.Logf("%d documents, %d rules", judged, len(l.set.Checked))
	})
	t.Run("compiled", func(t *testing.T) {
		l, all := l, all
		if os.Getenv("KUBE_ALL") == "" { // compiling all definitions takes minutes
			var some []definition
			for i, d := range list {
				if i%12 == 3 {
					some = append(some, d)
				}
			}
			var err error
			if l, err = load(t, some); err != nil {
				t.Fatal(err)
			}
			all = slices.DeleteFunc(slices.Clone(all), func(c testCase) bool { return l.root[c.CRD] == 0 })
		}
		var refs []model.Ref
		for _, r := range l.root {
			refs = append(refs, r)
		}
		p, err := witness.Compile(context.Background(), l.m, refs)
		if errors.Is(err, witness.ErrNoGo) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatalf("%.6000v", err)
		}
		defer p.Close()
		for _, c := range all {
			w := &rules.Case{Schema: l.root[c.CRD], Docs: [][]byte{c.Doc}, Old: c.OldDoc}
			got, err := p.Judge(rules.Document, w)
			if err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			compare(t, c, got)
		}
		t.Logf("%d documents of %d definitions; KUBE_ALL=1 takes all", len(all), len(l.root))
	})
}

func compare(t *testing.T, c testCase, issues contract.Issues) {
	t.Helper()
	var got, want []string
	prefix := strings.ReplaceAll(c.CRD, "/", "_")
	for _, i := range issues {
		got = append(got, strings.TrimPrefix(string(i.Code), prefix)+" "+flat(i.Path))
	}
	for _, v := range c.Violations {
		want = append(want, v.RuleAt+" "+flat(v.Path))
	}
	slices.Sort(got)
	slices.Sort(want)
	want = slices.Compact(want)
	if !slices.Equal(slices.Compact(got), want) {
		t.Errorf("%s (update: %t):\n got %s\nwant %s", c.ID, c.OldDoc != nil, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// flat writes a JSON Pointer and the API server's form of a path alike.
func flat(path string) string {
	if path == "<nil>" {
		return ""
	}
	path = strings.NewReplacer("~1", "/", "~0", "~").Replace(path)
	path = strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(path)
	return strings.Trim(fmt.Sprint(path), "/")
}

package jsts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// TestSecondOpinion holds the emitted code against another engine, schema by schema:
// each judges all instances of the schema's file, and a sample of all others of its
// draft. testdata/second.json lists where the engines differ, and why ours is right.
func TestSecondOpinion(t *testing.T) {
	suite := suiteDir(t)
	known, err := LoadSkips(filepath.Join("testdata", "second.json"))
	if err != nil {
		t.Fatal(err)
	}
	var groups []Group
	instances := map[string][]string{} // by draft and file; those of a draft alone are the sample
	for _, d := range Drafts {
		more, err := Load(filepath.Join(suite, "tests", d.Name), d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i, count := range more {
			for j, test := range count.Tests {
				var text bytes.Buffer
				if err := json.Compact(&text, test.Data); err != nil {
					t.Fatal(err)
				}
				if text.Len() > 2000 {
					continue
				}
				file := d.Name + "/" + count.File
				instances[file] = append(instances[file], text.String())
				if (7*i+j)%29 == 0 {
					instances[d.Name] = append(instances[d.Name], text.String())
				}
			}
		}
		for i := range more {
			if more[i].Set != Format { // the other engine knows fewer formats, and those by looser rules
				groups = append(groups, more[i])
			}
		}
	}
	p, folders, _, problems := compile(t, groups, filepath.Join(suite, "remotes"))
	type question struct {
		group int
		want  bool
	}
	var asks []ask
	var asked []question
	skippedGroups := 0
	for i := range groups {
		g := &groups[i]
		if problems[i] != nil {
			t.Fatalf("%s: %v", g.Name(), problems[i])
		}
		if s := skipped(known, g, &Test{}); s != nil {
			s.used = true
			skippedGroups++
			continue
		}
		other, err := second(g, filepath.Join(suite, "remotes"))
		if err != nil {
			t.Errorf("%s: the other engine says: %v", g.Name(), err)
			continue
		}
		done := map[string]bool{}
		for _, text := range append(append([]string(nil), instances[g.Draft+"/"+g.File]...), instances[g.Draft]...) {
			if done[text] {
				continue
			}
			done[text] = true
			x, ok := value([]byte(text))
			if !ok {
				t.Fatal(text)
			}
			asks = append(asks, ask{folders[i], text})
			asked = append(asked, question{i, other.Validate(x) == nil})
		}
	}
	verdicts, err := p.run(asks)
	if err != nil {
		t.Fatal(err)
	}
	differ := map[int]int{}
	for i, v := range verdicts {
		g := &groups[asked[i].group]
		switch {
		case v.Crash != "":
			t.Errorf("%s: %s\nschema: %.600s\ndata: %.300s", g.Name(), v.Crash, g.Schema, asks[i].Data)
		case v.Valid && !equal([]byte(asks[i].Data), []byte(v.Output)):
			t.Errorf("%s\ndecoded and marshalled: %s\nschema: %.600s\ndata: %.300s", g.Name(), v.Output, g.Schema, asks[i].Data)
		case v.Valid != asked[i].want:
			if differ[asked[i].group]++; differ[asked[i].group] <= 2 {
				t.Errorf("%s: ours says %v, the other engine %v %s\nschema: %.600s\ndata: %.300s", g.Name(), v.Valid, asked[i].want, v.Error, g.Schema, asks[i].Data)
			}
		}
	}
	for _, s := range known {
		if !s.used {
			t.Errorf("second.json: no group fits the entry for %s", s.File)
		}
	}
	t.Logf("%d instances of %d schemas; %d schemas with a known difference", len(asks), len(groups)-skippedGroups, skippedGroups)
}

// second compiles a group's schema for the other engine.
func second(g *Group, remotes string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = map[string]*jsonschema.Draft{
		"draft4": jsonschema.Draft4, "draft6": jsonschema.Draft6, "draft7": jsonschema.Draft7, "draft2019-09": jsonschema.Draft2019, "draft2020-12": jsonschema.Draft2020,
	}[g.Draft]
	c.AssertContent = g.File == "optional/content"
	c.LoadURL = func(u string) (io.ReadCloser, error) {
		rest, found := strings.CutPrefix(u, server)
		if !found {
			return nil, fmt.Errorf("%s is not fetched", u)
		}
		return os.Open(filepath.Join(remotes, filepath.FromSlash(rest)))
	}
	const root = "http://root.test/root.json"
	if err := c.AddResource(root, bytes.NewReader(g.Schema)); err != nil {
		return nil, err
	}
	return c.Compile(root)
}

package jsts

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/testkit/shared"
)

func storeGroups(t *testing.T) []Group {
	t.Helper()
	groups, unread, err := LoadStore(shared.Path(t, "schemastore", "src"))
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) == 0 {
		t.Skip("there is no SchemaStore sample beside the corpus")
	}
	t.Logf("%d schemas; %d documents are neither JSON nor YAML", len(groups), unread)
	return groups
}

// TestStore holds emitted code to whole real schemas: it compiles, accepts what it
// must and nothing else, and loses nothing.
func TestStore(t *testing.T) {
	groups := storeGroups(t)
	p, folders, _, problems := compile(t, groups, "")
	var asks []ask
	var of []struct{ group, test int }
	for i := range groups {
		if problems[i] != nil {
			t.Errorf("%s: %v", groups[i].File, problems[i])
			continue
		}
		for j := range groups[i].Tests {
			asks = append(asks, ask{folders[i], string(groups[i].Tests[j].Data)})
			of = append(of, struct{ group, test int }{i, j})
		}
	}
	verdicts, err := p.run(asks)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range verdicts {
		test := &groups[of[i].group].Tests[of[i].test]
		switch name := groups[of[i].group].File + " " + test.Title; {
		case v.Crash != "" || v.Valid != test.Valid:
			t.Errorf("%s: valid is %v, want %v: %s%s", name, v.Valid, test.Valid, v.Error, v.Crash)
		case v.Valid && !equal(test.Data, []byte(v.Output)):
			t.Errorf("%s: decoded and marshalled it is another value", name)
		}
	}
	t.Logf("%d documents", len(asks))
}

// TestStoreMutations compares emitted code with another engine over documents made by
// mutation and from the schemas of SchemaStore, formats as annotations.
// testdata/store.json lists schemas that the other engine gets wrong, and how.
func TestStoreMutations(t *testing.T) {
	groups := storeGroups(t)
	for i := range groups {
		groups[i].Set = Required // formats are annotations
	}
	mutations(t, groups, "store.json", "", 150)
}

// TestSuiteMutations does the same for the schemas of the test suite.
func TestSuiteMutations(t *testing.T) {
	suite := suiteDir(t)
	var groups []Group
	for _, d := range Drafts {
		more, err := Load(filepath.Join(suite, "tests", d.Name), d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range more {
			if g.Set != Format {
				groups = append(groups, g)
			}
		}
	}
	mutations(t, groups, "second.json", filepath.Join(suite, "remotes"), 12)
}

// metaSchema finds a reference to a published meta-schema.
var metaSchema = regexp.MustCompile(`"\$ref":\s*"https?://json-schema\.org/draft`)

// subject is a schema under both engines.
type subject struct {
	group   int
	other   func(any) bool
	mutator *mutator
	docs    []any
}

// document makes the n-th document.
func (s *subject) document(n int) any {
	if len(s.docs) == 0 || n%3 == 0 {
		return s.mutator.follow(s.mutator.schema, 0)
	}
	x := s.mutator.change(pick(s.mutator, s.docs))
	if n%2 == 0 {
		x = s.mutator.change(x)
	}
	return x
}

// mutations judges each documents of every schema by both engines. JSTS_FUZZ says
// for how long; without it one fixed round is made.
func mutations(t *testing.T, groups []Group, list, remotes string, each int) {
	known, err := LoadSkips(filepath.Join("testdata", list))
	if err != nil {
		t.Fatal(err)
	}
	p, folders, _, problems := compile(t, groups, remotes)
	deadline, seed := time.Time{}, uint64(1)
	if s := os.Getenv("JSTS_FUZZ"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		deadline, seed = time.Now().Add(d), uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
	}
	var subjects []subject
	for i := range groups {
		g := &groups[i]
		if s := skipped(known, g, &Test{}); s != nil {
			s.used = true
			continue
		}
		if problems[i] != nil {
			t.Errorf("%s: %v", g.Name(), problems[i])
			continue
		}
		if metaSchema.Match(g.Schema) {
			continue // the other engine asserts the formats in its copies of the meta-schemas
		}
		schema, _ := value(g.Schema)
		// The other engine asserts formats in the older drafts whatever it is told.
		plain := *g
		if plain.Schema, err = json.Marshal(withoutFormats(schema)); err != nil {
			t.Fatal(err)
		}
		other, err := second(&plain, remotes)
		if err != nil {
			t.Errorf("%s: the other engine says: %v", g.Name(), err)
			continue
		}
		s := subject{group: i, other: func(x any) bool { return other.Validate(x) == nil }, mutator: newMutator(rand.New(rand.NewPCG(seed, uint64(i))), schema)}
		for _, test := range g.Tests {
			if x, ok := value(test.Data); ok && len(test.Data) < 20_000 {
				s.docs = append(s.docs, x)
			}
		}
		subjects = append(subjects, s)
	}
	total, differ, valid := 0, map[int]int{}, 0
	for round := 0; round == 0 || time.Now().Before(deadline); round++ {
		var asks []ask
		var want []bool
		var of []int
		for k := range subjects {
			s := &subjects[k]
			for n := range each {
				text, err := json.Marshal(s.document(n))
				if err != nil {
					t.Fatal(err)
				}
				again, ok := value(text)
				if !ok || draft4(&groups[s.group]) && loose(again) {
					continue
				}
				asks, want, of = append(asks, ask{folders[s.group], string(text)}), append(want, s.other(again)), append(of, s.group)
			}
		}
		verdicts, err := p.run(asks)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range verdicts {
			total++
			if v.Valid {
				valid++
			}
			switch g := &groups[of[i]]; {
			case v.Crash != "":
				t.Errorf("%s: %s\n%.500s", g.Name(), v.Crash, asks[i].Data)
			case v.Valid && !equal([]byte(asks[i].Data), []byte(v.Output)):
				t.Errorf("%s: decoded and marshalled it is another value\nschema: %.500s\n%.500s\n%.500s", g.Name(), g.Schema, asks[i].Data, v.Output)
			case v.Valid != want[i]:
				if differ[of[i]]++; differ[of[i]] <= 2 {
					t.Errorf("%s: ours says %v, the other engine %v: %s\nschema: %.500s\n%.800s", g.Name(), v.Valid, want[i], v.Error, g.Schema, asks[i].Data)
				}
			}
		}
	}
	for _, s := range known {
		if !s.used {
			t.Errorf("%s: no schema fits the entry for %s", list, s.File)
		}
	}
	t.Logf("%d documents of %d schemas, %d of them valid", total, len(subjects), valid)
}

func withoutFormats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, x := range v {
			if _, isName := x.(string); name != "format" || !isName {
				out[name] = withoutFormats(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutFormats(v[i])
		}
		return out
	}
	return v
}

// draft4 reports whether a schema is of the draft whose integers the other engine
// reads by their spelling: 1.0, 1e3 and what an int64 does not hold are none there.
func draft4(g *Group) bool {
	return g.Draft == "draft4" || bytes.Contains(g.Schema, []byte("json-schema.org/draft-04/"))
}

// loose reports whether a value holds such a number.
func loose(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if loose(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, loose)
	case json.Number:
		_, err := v.Int64()
		return err != nil
	}
	return false
}

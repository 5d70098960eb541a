package odd

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/testkit/module"
)

// documentsEach is how many random documents every schema reads.
const documentsEach = 150

// emitted makes a module with the runtime in a folder of its own, with the part for rules
// if wanted, and returns the folder and what writes a file there.
func emitted(t *testing.T, path string, rules bool) (dir string, write func(name string, data []byte)) {
	t.Helper()
	dir = t.TempDir()
	write = func(name string, data []byte) { module.Write(t, dir, name, data) }
	runtime, err := build.RuntimeFiles(path, rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range runtime {
		write("contract/"+f.Path, f.Data)
	}
	write("go.mod", []byte("module odd\n\ngo 1.26\n"))
	return dir, write
}

// TestOdd emits every odd schema, compiles and vets all at once, and holds the code
// against another engine and against itself.
func TestOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir, write := emitted(t, "", false)
	write("run.go", []byte(runner))

	type ask struct {
		Package, Data string
		odd           int
		want          bool
	}
	var asks []ask
	var imports, registrations strings.Builder
	cases := append(odds(), random(12)...)
	for i, o := range cases {
		start := time.Now()
		name := o.file
		if name == "" {
			name = "schema.json"
		}
		s := &build.Single{Name: name, Data: []byte(o.schema), Package: "odd", Root: "Root", Runtime: "odd/contract"}
		files, _, err := s.Files(t.Context())
		if d := time.Since(start); d > 100*time.Second {
			t.Errorf("%s: takes %v", o.name, d)
		}
		if o.refused != "" {
			list, _ := err.(diag.List)
			if len(list) == 0 || list[0].Code != o.refused {
				t.Errorf("%s: refused with %v, want the code %s", o.name, err, o.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %.600v", o.name, err)
			continue
		}
		folder := fmt.Sprintf("p%03d", i)
		for _, f := range files {
			write(folder+"/"+f.Path, f.Data)
		}
		fmt.Fprintf(&imports, "\t%s \"odd/%s\"\n", folder, folder)
		fmt.Fprintf(&registrations, "\tregister(%q, %s.ValidateRoot, %s.DecodeRoot, %s.ParseRoot)\n", folder, folder, folder, folder)
		other, err := second(o.schema)
		if err != nil {
			t.Errorf("%s: the other engine says %v", o.name, err)
			continue
		}
		add := func(text string) {
			x, err := values(text)
			if err != nil {
				t.Fatalf("%s: %s: %v", o.name, text, err)
			}
			asks = append(asks, ask{folder, text, i, other.Validate(x) == nil})
		}
		for _, text := range o.valid {
			if add(text); !asks[len(asks)-1].want {
				t.Errorf("%s: the other engine refuses %s", o.name, text)
			}
		}
		for text := range o.parsed {
			add(text)
		}
		for _, text := range o.invalid {
			if add(text); asks[len(asks)-1].want {
				t.Errorf("%s: the other engine accepts %s", o.name, text)
			}
		}
		made := newStock(uint64(i), o.schema)
		for range documentsEach {
			add(made.document(3))
		}
	}
	write("main.go", []byte("package main\n\nimport (\n"+imports.String()+")\n\nfunc init() {\n"+registrations.String()+"}\n"))
	module.Go(t, dir, "vet", "./...")
	type verdict struct {
		Valid                        bool
		Error, Output, Parsed, Wrong string
	}
	verdicts := module.Ask[ask, verdict](t, dir, asks)
	reported := map[int]int{}
	for i, v := range verdicts {
		a := asks[i]
		o := cases[a.odd]
		report := func(format string, args ...any) {
			t.Helper()
			if reported[a.odd]++; reported[a.odd] <= 3 {
				t.Errorf("%s (%s): %s\nschema: %.700s\ndocument: %.500s", o.name, a.Package, fmt.Sprintf(format, args...), o.schema, a.Data)
			}
		}
		switch {
		case v.Wrong != "":
			report("%s", v.Wrong)
		case v.Valid != a.want && o.alone == "":
			report("ours says %v, the other engine %v: %s", v.Valid, a.want, v.Error)
		case v.Valid && !equal(a.Data, v.Output):
			report("comes back as %s", v.Output)
		}
		if v.Valid && v.Wrong == "" {
			before, _ := values(a.Data)
			if after, err := values(v.Parsed); err != nil || !within(before, after) {
				report("parsed to %s", v.Parsed)
			}
			if want, known := o.parsed[a.Data]; known && !equal(want, v.Parsed) {
				report("parsed to %s", v.Parsed)
			}
		}
	}
}

// second compiles a schema for the other engine.
func second(schema string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	const at = "http://odd.test/schema.json"
	if err := c.AddResource(at, strings.NewReader(schema)); err != nil {
		return nil, err
	}
	return c.Compile(at)
}

// Package goview is the model as the Go targets see it: identifiers, type
// expressions and file names that go-types and go-validators must agree on.
package goview

import (
	"go/token"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
)

// View is a model with its Go names.
type View struct {
	*model.Model
	Runtime string // import path of the runtime package
	Package string // name of the emitted package

	typeNames  []string // by model.Ref; "" for types without a name
	constants  map[constantKey]string
	fieldNames [][]string     // by model.Ref and field
	bases      map[string]int // file name without folder → the first document that has it
}

// constantKey is a value of an enum.
type constantKey struct {
	enum  model.Ref
	value string
}

// New names everything. Two types or members with one identifier are diagnostics,
// unless ctx.Renumber asks for numbers behind the later ones; constants always get
// numbers, since nobody can rename a value.
func New(m *model.Model, pkg string, ctx emit.Context) (*View, error) {
	v := &View{
		Model: m, Runtime: ctx.Runtime, Package: pkg, constants: map[constantKey]string{},
		typeNames: make([]string, len(m.Types)), fieldNames: make([][]string, len(m.Types)), bases: map[string]int{},
	}
	for i := range m.Documents {
		base := path.Base(m.Documents[i].Path)
		if _, there := v.bases[base]; !there {
			v.bases[base] = i
		}
	}
	if v.Package == "" {
		v.Package = goname.Package(m.Contract)
	}
	var diags diag.List
	if !token.IsIdentifier(v.Package) || v.Package == "_" {
		diags.Errorf(diag.Pos{}, "", "gen.package-name", "%q is no Go package name", v.Package)
	}
	taken := newScope(reserved, ctx.Renumber, &diags)
	declare := func(i int) {
		if t := &m.Types[i]; v.typeNames[i] == "" && t.Name != "" && t.Used {
			v.typeNames[i] = taken.take(goname.Exported(t.Name), "types", t.Pos, "Type")
		}
	}
	if ctx.Renumber { // documents come first: callers ask for their types and functions by name
		for i := range m.Documents {
			declare(int(m.Documents[i].Type))
		}
		v.entryPoints(taken)
	}
	for i := 1; i < len(m.Types); i++ {
		t := &m.Types[i]
		if t.Name == "" || !t.Used {
			continue
		}
		declare(i)
		switch t.Kind {
		case model.Struct, model.Tuple:
			v.fieldNames[i] = fields(t, ctx.Renumber, &diags)
		case model.Union:
			options := &model.Type{}
			for j := range t.Options {
				options.Fields = append(options.Fields, model.Field{Name: t.Options[j].Name, Pos: t.Pos})
			}
			v.fieldNames[i] = fields(options, true, &diags)
		}
	}
	if !ctx.Renumber {
		v.entryPoints(taken)
	}
	taken.renumber = true
	for i := 1; i < len(m.Types); i++ {
		t := &m.Types[i]
		if t.Kind != model.Enum || !t.Used {
			continue
		}
		for _, l := range t.Values {
			value := Unquote(l.JSON)
			v.constants[constantKey{t.ID, value}] = taken.take(v.constant(t, value), "constants", l.Pos, "")
		}
	}
	return v, diags.Err()
}

// entryPoints takes the package-level names that documents' functions have.
func (v *View) entryPoints(taken *scope) {
	for i := range v.Documents {
		t := v.Documents[i].Type
		if t == 0 {
			continue
		}
		name, at := v.typeNames[t], v.Types[t].Pos
		for _, other := range []string{name + "SchemaID", "Validate" + name, "Decode" + name, "Parse" + name} {
			if pos, dup := taken.names[other]; dup {
				taken.diags.Add(emit.Collision(other, "declarations", at, pos))
			}
			taken.names[other] = at
		}
	}
}

// scope is a set of identifiers and where they come from.
type scope struct {
	names    map[string]diag.Pos
	next     map[string]int // the number to try first behind a name
	renumber bool
	diags    *diag.List
}

func newScope(reserved []string, renumber bool, diags *diag.List) *scope {
	s := &scope{map[string]diag.Pos{}, map[string]int{}, renumber, diags}
	for _, word := range reserved {
		s.names[word] = diag.Pos{}
	}
	return s
}

// take returns name, or what has to stand for it when it is taken: with suffix when
// generated code needs the name itself, with a number when that is allowed.
func (s *scope) take(name, what string, pos diag.Pos, suffix string) string {
	if at, dup := s.names[name]; dup && at == (diag.Pos{}) && suffix != "" {
		name += suffix
	}
	at, dup := s.names[name]
	if dup && s.renumber {
		want := name
		for i := max(2, s.next[want]); dup; i++ {
			name = want + strconv.Itoa(i)
			_, dup = s.names[name]
			s.next[want] = i + 1
		}
	}
	if dup {
		s.diags.Add(emit.Collision(name, what, pos, at))
	}
	s.names[name] = pos
	return name
}

// reserved are the package-level names that go-validators declares by itself.
var reserved = []string{"Document", "SchemaIDs", "Validate", "ValidateAs", "Decode", "DecodeAs", "Parse", "ParseAs"}

func fields(t *model.Type, renumber bool, diags *diag.List) []string {
	taken := newScope([]string{"AppendJSON", "MarshalJSON", "UnmarshalJSON", "Validate", "SchemaID", "Extra"}, renumber, diags)
	out := make([]string, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		name := f.GoName
		if !token.IsIdentifier(name) || !token.IsExported(name) {
			name = goname.Exported(f.Name)
		}
		out[i] = taken.take(name, "members", f.Pos, "Member")
	}
	return out
}

// TypeName returns the Go name of a named type.
func (v *View) TypeName(r model.Ref) string { return v.typeNames[r] }

// FieldName returns the Go name of the i-th field of struct r.
func (v *View) FieldName(r model.Ref, i int) string { return v.fieldNames[r][i] }

// Constant returns the Go name of an enum's value.
func (v *View) Constant(t *model.Type, value string) string {
	return v.constants[constantKey{t.ID, value}]
}

func (v *View) constant(t *model.Type, value string) string {
	suffix := goname.Exported(value)
	if !hasWord(value) {
		suffix = "Value" + hexName(value)
	}
	return v.typeNames[t.ID] + suffix
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r >= utf8.RuneSelf })
}

func hexName(s string) string {
	out := ""
	for _, b := range []byte(s) {
		out += strconv.FormatUint(uint64(b), 16)
	}
	return out
}

// FileName returns the emitted file's name for a document: its stem, ending.
func (v *View) FileName(doc int, ending string) string {
	base := path.Base(v.Documents[doc].Path)
	stem := base
	for _, e := range []string{".json", ".yaml", ".yml", ".schema"} {
		stem = strings.TrimSuffix(stem, e)
	}
	name := goname.File(stem)
	if v.bases[base] != doc { // a file of the same name in another folder: put the folder in front
		name = goname.File(strings.ReplaceAll(path.Dir(v.Documents[doc].Path), "/", "_")) + "_" + name
	}
	if name == "package" || name == "patterns" || strings.HasSuffix(name, "_validate") {
		name += "_schema" // the names of files that belong to the whole package, or to another document
	}
	return name + ending
}

// NewFile begins a Go file made from the given source.
func (v *View) NewFile(source string) *jen.File {
	f := jen.NewFile(v.Package)
	f.HeaderComment("// Code generated by contracts from " + Plain(source) + ". DO NOT EDIT.")
	f.ImportName(v.Runtime, "contract")
	return f
}

// RT is a name of the runtime package.
func (v *View) RT(name string) *jen.Statement { return jen.Qual(v.Runtime, name) }

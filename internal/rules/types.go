package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"

	"github.com/contractkit/contractkit/internal/model"
)

// typer gives CEL types to the model's types.
type typer struct {
	m       *model.Model
	kube    bool
	views   []model.View
	byType  map[model.Ref]int // view of a type
	byName  map[string]int
	celType []*types.Type      // by view
	plains  map[int]bool       // by view; see plain
	open    map[model.Ref]bool // wrappers whose inside is being looked at
}

func newTyper(m *model.Model, profile string) *typer {
	return &typer{m: m, kube: profile == "kubernetes", views: make([]model.View, 1), celType: make([]*types.Type, 1), byType: map[model.Ref]int{}, byName: map[string]int{}, open: map[model.Ref]bool{}}
}

var dyn = &model.Term{Kind: model.TermDyn}

// schema is the type of the values that the schema r accepts.
func (t *typer) schema(r model.Ref) *model.Term { return t.use(t.m.Schema(r).Use, r) }

// use is the type of a value; schema, if it is not 0, adds the format of strings.
func (t *typer) use(u model.Use, schema model.Ref) *model.Term {
	if u.Type == 0 {
		return dyn
	}
	term := t.term(u.Type, schema)
	if !u.Nullable || term.Kind == model.TermDyn {
		return term
	}
	switch term.Kind {
	case model.TermList, model.TermMap: // CEL has no nullable lists
		return dyn
	}
	with := *term
	with.Nullable = true
	return &with
}

func (t *typer) term(r, schema model.Ref) *model.Term {
	x := t.m.Type(r)
	switch x.Kind {
	case model.Text:
		return t.text(schema)
	case model.Enum:
		text := t.text(schema)
		for _, l := range x.Values {
			var s string
			if json.Unmarshal([]byte(l.JSON), &s) == nil {
				text.Values = append(text.Values, s)
			}
		}
		return text
	case model.Integer:
		return &model.Term{Kind: model.TermInt}
	case model.Number:
		return &model.Term{Kind: model.TermDouble}
	case model.Boolean:
		return &model.Term{Kind: model.TermBool}
	case model.List:
		list := &model.Term{Kind: model.TermList, Elem: t.use(x.Elem, x.ElemSchema), Most: t.most(schema, 0)}
		if t.kube {
			list.Set, list.Keys = t.listType(schema, 0)
		}
		return list
	case model.Map:
		return &model.Term{Kind: model.TermMap, Key: &model.Term{Kind: model.TermString}, Elem: t.use(x.Elem, x.ElemSchema)}
	case model.Wrapper:
		if t.open[r] { // a list or map of itself
			return dyn
		}
		t.open[r] = true
		defer delete(t.open, r)
		return t.use(x.Elem, x.ElemSchema)
	case model.Tuple:
		return &model.Term{Kind: model.TermList, Elem: dyn}
	case model.Struct:
		return &model.Term{Kind: model.TermObject, Object: t.view(r)}
	case model.Union:
		if t.onlyObjects(x) {
			return &model.Term{Kind: model.TermObject, Object: t.view(r)}
		}
	}
	return dyn
}

// most is the greatest number of elements that a schema allows; 0 for any number.
func (t *typer) most(r model.Ref, hops int) int {
	if r == 0 || hops > 16 {
		return 0
	}
	s := t.m.Schema(r)
	if s.MaxItems != nil {
		return max(1, *s.MaxItems)
	}
	return t.most(s.Ref, hops+1)
}

// listType says whether a list is a set or a map by keys.
func (t *typer) listType(r model.Ref, hops int) (set bool, keys []string) {
	if r == 0 || hops > 16 {
		return false, nil
	}
	s := t.m.Schema(r)
	if s.ListSet || s.ListMapKeys != nil {
		return s.ListSet, s.ListMapKeys
	}
	return t.listType(s.Ref, hops+1)
}

func (t *typer) onlyObjects(x *model.Type) bool {
	for _, o := range x.Options {
		if o.Use.Nullable || o.Use.Type == 0 {
			return false
		}
		y := t.m.Type(o.Use.Type)
		if y.Kind != model.Struct && (y.Kind != model.Union || !t.onlyObjects(y)) {
			return false
		}
	}
	return len(x.Options) > 0
}

// text is the type of strings of the schema: most are strings, some formats more.
func (t *typer) text(schema model.Ref) *model.Term {
	switch format := t.format(schema, 0); {
	case format == "date-time":
		return &model.Term{Kind: model.TermTimestamp}
	case format == "date" && t.kube:
		return &model.Term{Kind: model.TermTimestamp, Date: true}
	case format == "duration" && t.kube:
		return &model.Term{Kind: model.TermDuration}
	case format == "byte" && t.kube:
		return &model.Term{Kind: model.TermBytes}
	}
	return &model.Term{Kind: model.TermString}
}

func (t *typer) format(r model.Ref, hops int) string {
	if r == 0 || hops > 16 {
		return ""
	}
	s := t.m.Schema(r)
	if s.Format != "" {
		return s.Format
	}
	if f := t.format(s.Ref, hops+1); f != "" {
		return f
	}
	for _, a := range s.AllOf {
		if f := t.format(a, hops+1); f != "" {
			return f
		}
	}
	return ""
}

// view returns the index of the view of a struct, or of a union of structs.
func (t *typer) view(r model.Ref) int {
	if i, known := t.byType[r]; known {
		return i
	}
	x := t.m.Type(r)
	name := x.Name
	if name == "" {
		name = fmt.Sprintf("Object%d", r)
	}
	i := len(t.views)
	t.byType[r], t.byName[name] = i, i
	t.views = append(t.views, model.View{Name: name})
	t.celType = append(t.celType, types.NewObjectType(name))
	var fields []model.ViewField
	if x.Kind == model.Union {
		fields = t.merge(x)
	} else {
		for k := range x.Fields {
			f := &x.Fields[k]
			fields = append(fields, model.ViewField{Name: f.Name, Ident: ident(f.Name), Term: t.use(f.Use, f.Schema), Optional: !f.Required && f.Default == nil})
		}
	}
	t.views[i].Fields = fields
	return i
}

// merge sees the structs of a union as one, whose members are there sometimes.
func (t *typer) merge(x *model.Type) (fields []model.ViewField) {
	seen := map[string]int{}
	var count int
	times := map[string]int{}
	for _, o := range x.Options {
		count++
		inner := t.views[t.term(o.Use.Type, 0).Object].Fields
		for _, f := range inner {
			times[f.Name]++
			at, known := seen[f.Name]
			if !known {
				seen[f.Name] = len(fields)
				fields = append(fields, f)
				continue
			}
			have := &fields[at]
			have.Optional = have.Optional || f.Optional
			if !same(have.Term, f.Term) {
				have.Term = dyn
			} else if !slices.Equal(have.Term.Values, f.Term.Values) {
				both := *have.Term
				both.Values = either(have.Term.Values, f.Term.Values)
				have.Term = &both
			}
		}
	}
	for i := range fields {
		if times[fields[i].Name] < count {
			fields[i].Optional = true
		}
	}
	return fields
}

// either lists what one of two enums allows; nil when one of them is none.
func either(a, b []string) []string {
	if a == nil || b == nil {
		return nil
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func same(a, b *model.Term) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Nullable == b.Nullable && a.Date == b.Date && a.Object == b.Object && a.Name == b.Name && a.Set == b.Set && slices.Equal(a.Keys, b.Keys) && same(a.Elem, b.Elem) && same(a.Key, b.Key)
}

// alike reports whether two types have the same members of the same types.
func (t *typer) alike(a, b *model.Term) bool {
	if a.Kind != model.TermObject || b.Kind != model.TermObject {
		return same(a, b)
	}
	x, y := t.views[a.Object].Fields, t.views[b.Object].Fields
	return len(x) == len(y) && !slices.ContainsFunc(x, func(f model.ViewField) bool {
		g := t.field(b.Object, f.Name)
		return g == nil || g.Optional != f.Optional || !same(f.Term, g.Term)
	})
}

// reserved are the words of CEL that cannot be members' names as they are.
var reserved = []string{"true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"}

// ident is how a rule writes a member's name: as Kubernetes escapes it.
func ident(name string) string {
	if slices.Contains(reserved, name) {
		return "__" + name + "__"
	}
	if strings.Contains(name, "__") || strings.ContainsAny(name, ".-/") {
		return escapeName.Replace(name)
	}
	return name
}

var escapeName = strings.NewReplacer("__", "__underscores__", ".", "__dot__", "-", "__dash__", "/", "__slash__")

// field finds a member of a view by its name in an expression: escaped, or as it is.
func (t *typer) field(view int, name string) *model.ViewField {
	fields := t.views[view].Fields
	for i := range fields {
		if fields[i].Ident == name {
			return &fields[i]
		}
	}
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// cel turns a Term into the checker's type.
func (t *typer) cel(x *model.Term) *types.Type {
	switch x.Kind {
	case model.TermNull:
		return types.NullType
	case model.TermBool:
		return nullable(types.BoolType, x)
	case model.TermInt:
		return nullable(types.IntType, x)
	case model.TermUint:
		return nullable(types.UintType, x)
	case model.TermDouble:
		return nullable(types.DoubleType, x)
	case model.TermString:
		return nullable(types.StringType, x)
	case model.TermBytes:
		return nullable(types.BytesType, x)
	case model.TermTimestamp:
		return types.TimestampType
	case model.TermDuration:
		return types.DurationType
	case model.TermList:
		return types.NewListType(t.cel(x.Elem))
	case model.TermMap:
		return types.NewMapType(t.cel(x.Key), t.cel(x.Elem))
	case model.TermOptional:
		return types.NewOptionalType(t.cel(x.Elem))
	case model.TermObject:
		return t.celType[x.Object]
	}
	return types.DynType
}

func nullable(p *types.Type, x *model.Term) *types.Type {
	if x.Nullable {
		return types.NewNullableType(p)
	}
	return p
}

// back turns the checker's type into a Term.
func (t *typer) back(x *types.Type) *model.Term {
	if x == nil {
		return dyn
	}
	scalar := func(k model.TermKind) *model.Term {
		return &model.Term{Kind: k, Nullable: x.IsAssignableType(types.NullType)}
	}
	switch x.Kind() {
	case types.BoolKind:
		return scalar(model.TermBool)
	case types.IntKind:
		return scalar(model.TermInt)
	case types.UintKind:
		return scalar(model.TermUint)
	case types.DoubleKind:
		return scalar(model.TermDouble)
	case types.StringKind:
		return scalar(model.TermString)
	case types.BytesKind:
		return scalar(model.TermBytes)
	case types.NullTypeKind:
		return &model.Term{Kind: model.TermNull}
	case types.TimestampKind:
		return &model.Term{Kind: model.TermTimestamp}
	case types.DurationKind:
		return &model.Term{Kind: model.TermDuration}
	case types.ListKind:
		return &model.Term{Kind: model.TermList, Elem: t.back(x.Parameters()[0])}
	case types.MapKind:
		return &model.Term{Kind: model.TermMap, Key: t.back(x.Parameters()[0]), Elem: t.back(x.Parameters()[1])}
	case types.StructKind:
		if i := t.byName[x.TypeName()]; i != 0 {
			return &model.Term{Kind: model.TermObject, Object: i}
		}
	case types.TypeKind:
		return &model.Term{Kind: model.TermType}
	case types.OpaqueKind:
		if x.TypeName() == "optional_type" {
			return &model.Term{Kind: model.TermOptional, Elem: t.back(x.Parameters()[0])}
		}
		return &model.Term{Kind: model.TermOpaque, Name: x.TypeName()}
	}
	return dyn
}

package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
)

// Dynamic references mean different schemas on different ways: the outermost
// resource on the way that has the anchor decides. The ways are known before any
// document is, so the model holds one copy of a schema for each set of bindings
// that it can be reached with, and targets see ordinary references only.

// The number of ways that dynamic references distinguish can grow with the power of
// the anchors; these bound them, and the copies of schemas that they ask for.
const (
	maxWays   = 1024
	maxCopies = 1 << 18
)

// env is what the dynamic anchors mean on one way.
type env struct {
	key  string
	bind map[string]*graph.Schema
}

// instance is a schema as it is reached with one set of bindings.
type instance struct {
	schema *graph.Schema
	env    *env
}

type anchor struct {
	name   string
	schema *graph.Schema
}

// recursive is the name under which $recursiveAnchor is bound; no $dynamicAnchor
// can have it.
const recursive = "$recursive"

var noEnv = &env{}

// scopes prepares the bindings.
func (b *builder) scopes(g *graph.Graph) {
	b.anchors, b.sensitive, b.envs = map[*graph.Schema][]anchor{}, map[*graph.Schema]bool{}, map[string]*env{"": noEnv}
	names := map[string]bool{}
	var dynamic []*graph.Schema
	for _, s := range g.Schemas() {
		if r := s.DynamicRef; r != nil && r.Dynamic {
			dynamic = append(dynamic, s)
			names[r.Anchor] = true
		}
		if r := s.RecursiveRef; r != nil && r.Dynamic {
			dynamic = append(dynamic, s)
			names[recursive] = true
		}
	}
	if len(dynamic) == 0 {
		return
	}
	for _, s := range g.Schemas() {
		if v := s.Value.Get("$dynamicAnchor"); v != nil && names[v.Text] {
			b.anchors[s.Resource] = append(b.anchors[s.Resource], anchor{v.Text, s})
		}
	}
	if names[recursive] {
		for _, s := range g.RecursiveAnchors() {
			b.anchors[s] = append(b.anchors[s], anchor{recursive, s})
		}
	}
	b.findSensitive(g, dynamic)
}

// findSensitive marks what leads to a dynamic reference, going backwards.
func (b *builder) findSensitive(g *graph.Graph, dynamic []*graph.Schema) {
	at := map[string]*graph.Schema{}
	place := func(s *graph.Schema, pointer string) string { return s.Doc.Path + "#" + pointer }
	for _, s := range g.Schemas() {
		at[place(s, s.Pointer)] = s
	}
	from := map[*graph.Schema][]*graph.Schema{}
	link := func(a, to *graph.Schema) { from[to] = append(from[to], a) }
	for _, s := range g.Schemas() {
		for p := s.Pointer; p != ""; {
			p = p[:strings.LastIndexByte(p, '/')]
			if parent := at[place(s, p)]; parent != nil {
				link(parent, s)
				break
			}
		}
		if s.Ref != nil {
			link(s, s.Ref)
		}
		if s.DynamicRef != nil {
			link(s, s.DynamicRef.Target)
		}
		if s.RecursiveRef != nil {
			link(s, s.RecursiveRef.Target)
		}
	}
	for len(dynamic) > 0 {
		s := dynamic[0]
		dynamic = dynamic[1:]
		if !b.sensitive[s] {
			b.sensitive[s] = true
			dynamic = append(dynamic, from[s]...)
		}
	}
}

// canonical is s reached by itself, with nothing on the way.
func (b *builder) canonical(s *graph.Schema) Ref { return b.ref(s, noEnv) }

// ref is the model's schema for s on a way with bindings e; nil gives 0.
func (b *builder) ref(s *graph.Schema, e *env) Ref {
	if s == nil {
		return 0
	}
	if !b.sensitive[s] {
		e = noEnv
	} else {
		e = b.enter(e, s)
	}
	at := instance{s, e}
	if r, known := b.refs[at]; known {
		return r
	}
	if e != noEnv {
		b.copies++
	}
	if b.copies > maxCopies || len(b.envs) > maxWays {
		if !b.full {
			b.full = true
			b.diags.Add(diag.Diagnostic{Code: "model.too-large", Pos: s.Value.Pos, Pointer: s.Pointer,
				Message: "dynamic references multiply the schemas beyond measure",
				Hint:    "use fewer names of dynamic anchors, or fewer resources that declare them"})
		}
		return 0
	}
	r := Ref(len(b.m.Schemas))
	b.refs[at] = r
	b.m.Schemas = append(b.m.Schemas, Schema{
		ID: r, Location: s.Location, Pos: s.Value.Pos, Document: b.docs[s.Doc], Name: b.hint(s),
	})
	b.open = append(b.open, at)
	return r
}

// enter adds the anchors of the resource of s that nothing outside has bound.
func (b *builder) enter(e *env, s *graph.Schema) *env {
	fresh := b.anchors[s.Resource]
	added := false
	for _, a := range fresh {
		added = added || e.bind[a.name] == nil
	}
	if !added {
		return e
	}
	bind := make(map[string]*graph.Schema, len(e.bind)+len(fresh))
	for name, to := range e.bind {
		bind[name] = to
	}
	for _, a := range fresh {
		if bind[a.name] == nil {
			bind[a.name] = a.schema
		}
	}
	key := ""
	for _, name := range slices.Sorted(maps.Keys(bind)) { // the way does not matter, only where it leads
		key += fmt.Sprintf("%q=%q ", name, bind[name].Doc.Path+"#"+bind[name].Pointer)
	}
	if known := b.envs[key]; known != nil {
		return known
	}
	b.envs[key] = &env{key, bind}
	return b.envs[key]
}

// dynamicTarget is what a dynamic reference means on a way.
func (e *env) dynamicTarget(r *graph.DynamicRef, name string) *graph.Schema {
	if r.Dynamic && e.bind[name] != nil {
		return e.bind[name]
	}
	return r.Target
}

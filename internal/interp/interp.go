// Package interp judges documents by a model without generating code: for commands
// that are given a schema file. It reports the same issues as generated validators,
// through the same runtime; tests hold the two to each other.
package interp

import (
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/pattern"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Interp holds the checks of a model. It is safe for concurrent use.
type Interp struct {
	m        *model.Model
	checks   []contract.Check // by model.Ref
	patterns map[string]*pattern.Pattern
	late     bool // patterns are compiled when a text meets them; for one goroutine
}

// New prepares m. It returns a diag.List when a pattern cannot be compiled.
func New(m *model.Model) (*Interp, error) {
	in := prepare(m)
	var diags diag.List
	for i := 1; i < len(m.Schemas); i++ {
		s := &m.Schemas[i]
		in.pattern(s.Pattern, s, &diags)
		for _, p := range s.PatternProperties {
			in.pattern(p.Pattern, s, &diags)
		}
	}
	if err := diags.Err(); err != nil {
		return nil, err
	}
	return in, nil
}

// prepare is New without the patterns.
func prepare(m *model.Model) *Interp {
	in := &Interp{m: m, checks: make([]contract.Check, len(m.Schemas)), patterns: map[string]*pattern.Pattern{}}
	for i := 1; i < len(m.Schemas); i++ {
		s := &m.Schemas[i]
		in.checks[i] = func(v *contract.Validator, n contract.Node) bool { return in.schema(v, n, s) }
	}
	return in
}

// Check returns the check of the schema r.
func (in *Interp) Check(r model.Ref) contract.Check { return in.checks[r] }

// Pattern returns a pattern of the model.
func (in *Interp) Pattern(text string) *pattern.Pattern { return in.patterns[text] }

// matches applies a pattern of the model to a value.
func (in *Interp) matches(text string, value []byte) bool {
	p, known := in.patterns[text]
	if !known && in.late {
		p, _ = pattern.Parse(text) // whoever needs it reports one that is none: every text matches it
		in.patterns[text] = p
	}
	return p == nil || p.Match(value)
}

func (in *Interp) pattern(text string, s *model.Schema, diags *diag.List) {
	if _, known := in.patterns[text]; known || text == "" {
		return
	}
	p, err := pattern.Parse(text)
	if err != nil {
		diags.Add(diag.Diagnostic{
			Code: "gen.pattern", Pos: s.Pos, Message: "the pattern " + text + " cannot be compiled: " + err.Error(),
			Hint: "write it without the construct that is named, or with smaller counts",
		})
		return
	}
	in.patterns[text] = p
}

// Validate returns what is wrong with data by the schema r; nothing when it is valid.
func (in *Interp) Validate(r model.Ref, data []byte) contract.Issues {
	return contract.Validate(data, in.checks[r])
}

// check applies the schema r to n. Ways to one value may meet again and again in
// hostile schemas, which is what Once is for.
func (in *Interp) check(v *contract.Validator, n contract.Node, r model.Ref) bool {
	return v.Once(int(r), in.checks[r], n)
}

func (in *Interp) probe(v *contract.Validator, n contract.Node, r model.Ref) bool {
	return v.ProbesOnce(int(r), in.checks[r], n)
}

// schema applies every assertion of s to n. False means that there is nothing more
// to learn, as in generated checks.
func (in *Interp) schema(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	if s.Never {
		return v.Forbidden(n, s.Location)
	}
	found := v.Found()
	if s.Ref != 0 && !in.check(v, n, s.Ref) {
		return false
	}
	if s.Types != 0 {
		if pass, rest := in.types(v, n, s); !rest {
			return pass
		}
	}
	if !in.values(v, n, s) {
		return false
	}
	pass := true
	switch v.Kind(n) {
	case contract.String:
		pass = in.str(v, n, s)
	case contract.Num:
		pass = in.number(v, n, s)
	case contract.Array:
		pass = in.array(v, n, s)
	case contract.Object:
		pass = in.object(v, n, s)
	}
	return pass && in.combinators(v, n, s) && in.unevaluated(v, n, s, found)
}

// kinds turns the type keyword's set into the tape's.
func kinds(t model.Kinds) (k contract.Kinds) {
	for _, p := range []struct {
		from model.Kinds
		to   contract.Kind
	}{
		{model.KindNull, contract.Null}, {model.KindBool, contract.Bool}, {model.KindNumber | model.KindInteger, contract.Num},
		{model.KindString, contract.String}, {model.KindArray, contract.Array}, {model.KindObject, contract.Object},
	} {
		if t&p.from != 0 {
			k |= 1 << p.to
		}
	}
	return k
}

// types applies the type keyword. Without rest, pass is the result of the schema:
// the other assertions make no sense for a value of another type.
func (in *Interp) types(v *contract.Validator, n contract.Node, s *model.Schema) (pass, rest bool) {
	want := kinds(s.Types)
	integral := s.Types&model.KindInteger != 0 && s.Types&model.KindNumber == 0
	switch {
	case integral && want == 1<<contract.Num && (v.Kind(n) != contract.Num || !v.IsInteger(n)):
		return v.NotInteger(n, s.Location), false
	case !want.Has(v.Kind(n)):
		if s.Types == model.KindString && (s.Const != nil && s.Const.JSON[0] == '"' || s.IsEnum && onlyStrings(s.Enum)) {
			return true, true // the comparison of values reports it
		}
		return v.WrongType(n, want, s.Location), false
	case integral && v.Kind(n) == contract.Num && !v.IsInteger(n):
		return v.NotInteger(n, s.Location), false
	}
	return true, true
}

func onlyStrings(list []model.Literal) bool {
	for _, l := range list {
		if l.JSON[0] != '"' {
			return false
		}
	}
	return len(list) > 0
}

func (in *Interp) values(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	if s.Const != nil && !v.Equals(n, s.Const.JSON) && !v.NotConst(n, s.Const.JSON, s.Location) {
		return false
	}
	if !s.IsEnum {
		return true
	}
	list := ""
	for i, l := range s.Enum {
		if v.Equals(n, l.JSON) {
			return true
		}
		if i > 0 {
			list += ", "
		}
		list += l.JSON
	}
	return v.NotEnum(n, list, s.Location)
}

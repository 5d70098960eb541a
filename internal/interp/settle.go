package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Bounds of what defaults grow to when they are completed: the default of a member holds
// what lacks other members, and so on.
const (
	maxFilled    = 1 << 20 // bytes of one
	maxFilledAll = 1 << 26 // bytes of all of a model
	maxRounds    = 16      // how deep a default may depend on others to become valid
)

// Settle decides which defaults of m apply, before anything else reads them: those that
// are valid by every schema of their member, as they are written or as completion leaves
// them. It takes the others away from the fields and warns of them, since JSON Schema
// allows them; it warns, too, of defaults that are no more than annotations and that
// their own schema excludes. Engines, rules and targets rely on the fields alone.
func Settle(m *model.Model) diag.List {
	if !slices.ContainsFunc(m.Schemas, func(s model.Schema) bool { return s.Default != nil }) {
		return nil
	}
	return settle(m).diags
}

func settle(m *model.Model) *settler {
	in := prepare(m)
	in.late = true // most of them no default ever meets, and they are dear
	s := &settler{in: in, by: map[*model.Field]*proposal{}, memo: map[*model.Field]string{}, large: map[*model.Field]bool{}}
	s.collect()
	s.judge()
	s.fill()
	s.warn()
	return s
}

// proposal is a default that a field would have.
type proposal struct {
	field   *model.Field
	schemas []model.Ref // all that a value of the member has to obey
	literal *model.Literal
	fault   string // why it does not apply; "" when it does
}

type settler struct {
	in    *Interp
	list  []*proposal // in the order of types and fields
	by    map[*model.Field]*proposal
	memo  map[*model.Field]string // completed defaults; "" for one that is being completed
	total int                     // bytes of what is completed
	large map[*model.Field]bool   // completed, they are too long
	diags diag.List
}

func (s *settler) collect() {
	m := s.in.m
	for i := range m.Types {
		var schemas map[string][]model.Ref
		for j := range m.Types[i].Fields {
			f := &m.Types[i].Fields[j]
			if f.Default == nil {
				continue
			}
			if schemas == nil {
				schemas = m.MemberSchemas(&m.Types[i])
			}
			p := &proposal{field: f, schemas: schemas[f.Name], literal: f.Default}
			s.list, s.by[f] = append(s.list, p), p
		}
	}
}

// judge finds the defaults that apply. Whether one is valid as it is written depends on
// nothing else; one that completion has to make valid needs others, which are known by
// then, so that the order of the fields does not matter.
func (s *settler) judge() {
	var open []*proposal
	for _, p := range s.list {
		if p.fault = s.fault(p.schemas, []byte(p.literal.JSON)); p.fault != "" {
			open = append(open, p)
		}
	}
	for range maxRounds {
		var saved, rest []*proposal
		for _, p := range open {
			if text := s.complete(p); text != "" && s.fault(p.schemas, []byte(text)) == "" {
				saved = append(saved, p)
			} else {
				rest = append(rest, p)
			}
		}
		for _, p := range saved {
			p.fault = ""
		}
		s.memo, s.total = map[*model.Field]string{}, 0
		if open = rest; len(saved) == 0 || len(rest) == 0 {
			return
		}
	}
}

// fault is the first thing that is wrong with a value by the schemas, or "".
func (s *settler) fault(schemas []model.Ref, value []byte) string {
	for _, r := range schemas {
		if issues := s.in.Validate(r, value); len(issues) > 0 {
			return issues[0].String()
		}
	}
	return ""
}

// value is what stands in for the absent member f; "" when nothing does.
func (s *settler) value(f *model.Field) string {
	p := s.by[f]
	if p == nil || p.fault != "" || s.large[f] {
		return ""
	}
	text, known := s.memo[f]
	if !known {
		s.memo[f] = "" // the model has no default that needs itself; this is for the day it has
		text = s.complete(p)
		s.memo[f] = text
	}
	return text
}

// complete returns the default after completion; "" when it is too long.
func (s *settler) complete(p *proposal) string {
	v := contract.Acquire()
	defer v.Release()
	if v.Load([]byte(p.literal.JSON), contract.Limits{}) != nil {
		return ""
	}
	c := &completer{in: s.in, v: v, fill: s.value, limit: maxFilled}
	text := c.value(nil, contract.Root, p.field.Use, p.field.Normalize)
	if s.total += len(text); c.over || len(text) > maxFilled || s.total > maxFilledAll {
		s.large[p.field] = true
		return ""
	}
	return string(text)
}

// fill writes down what stands in for absent members.
func (s *settler) fill() {
	for _, p := range s.list {
		if p.field.Filled = s.value(p.field); p.field.Filled != "" {
			continue
		}
		p.field.Default = nil
		if p.fault == "" {
			p.fault = fmt.Sprintf("with the defaults inside it is longer than %d bytes", maxFilled)
		}
	}
}

// warn says which defaults do not apply, once for each place where one is written.
func (s *settler) warn() {
	m := s.in.m
	users := map[*model.Literal][]*proposal{}
	for _, p := range s.list {
		users[p.literal] = append(users[p.literal], p)
	}
	said := map[string]bool{}
	for i := 1; i < len(m.Schemas); i++ {
		b := &m.Schemas[i]
		if b.Default == nil || said[b.Location] {
			continue
		}
		fault := s.fault([]model.Ref{b.ID}, []byte(b.Default.JSON))
		if len(users[b.Default]) == 0 && fault != "" && s.fault([]model.Ref{b.ID}, s.in.Complete(b.ID, []byte(b.Default.JSON))) == "" {
			fault = ""
		}
		d := diag.Diagnostic{
			Severity: diag.Warning, Code: "model.invalid-default", Pos: b.Default.Pos, Pointer: b.Location[strings.IndexByte(b.Location, '#')+1:] + "/default",
			Hint: "write a value that the schema accepts, widen the schema, or leave the default out",
		}
		value := clip(b.Default.JSON, 60)
		var lost []*proposal
		for _, p := range users[b.Default] {
			if p.fault != "" {
				lost = append(lost, p)
			}
		}
		switch {
		case len(lost) > 0:
			where := "its own schema excludes it"
			if fault == "" {
				where = "the schema of the member " + lost[0].field.Name + " excludes it"
				d.Related = []diag.Related{{Pos: lost[0].field.Pos, Message: "the member"}}
			}
			if s.large[lost[0].field] {
				where = "it cannot be applied"
			}
			d.Message = fmt.Sprintf("the default %s is not filled in, for %s: %s", value, where, clip(lost[0].fault, 300))
		case fault != "" && len(users[b.Default]) == 0:
			d.Message = fmt.Sprintf("the schema excludes its own default %s: %s", value, clip(fault, 300))
		default:
			continue
		}
		said[b.Location] = true
		s.diags.Add(d)
	}
}

// clip shortens a text for a message.
func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

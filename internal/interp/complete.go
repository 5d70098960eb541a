package interp

import (
	"slices"

	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Complete returns the document as Parse functions leave it: with defaults filled
// in and strings normalised. data is valid by the schema r; a document that is
// complete already is returned as it is.
func (in *Interp) Complete(r model.Ref, data []byte) []byte {
	u := in.m.Schema(r).Use
	if u.Type == 0 {
		return data
	}
	v := contract.Acquire()
	defer v.Release()
	if v.Load(data, contract.Limits{}) != nil {
		return data
	}
	c := &completer{in: in, v: v, fill: filled}
	out := c.value(nil, contract.Root, u, in.m.NormalizeOf(r))
	if !c.changed {
		return data
	}
	return out
}

// normalized returns s after the steps.
func normalized(s string, steps []string) string {
	for _, step := range steps {
		switch step {
		case "trim":
			s = contract.Trim(s)
		case "lowercase":
			s = contract.LowerASCII(s)
		case "canonical-uri":
			s = contract.CanonicalURI(s)
		}
	}
	return s
}

type completer struct {
	in      *Interp
	v       *contract.Validator
	changed bool
	fill    func(*model.Field) string // the value of an absent member; "" for none
	limit   int                       // bytes beyond which absent members stay out; 0 for no limit
	over    bool                      // some did
}

// filled is what stands in for an absent member in a model whose defaults are settled.
func filled(f *model.Field) string { return f.Filled }

func (c *completer) value(dst []byte, n contract.Node, u model.Use, steps []string) []byte {
	if u.Type == 0 || c.v.Kind(n) == contract.Null {
		return append(dst, c.v.Raw(n)...)
	}
	t := c.in.m.Type(u.Type)
	switch t.Kind {
	case model.Text:
		if len(steps) == 0 || c.v.Kind(n) != contract.String {
			break
		}
		was := string(c.v.Text(n))
		now := normalized(was, steps)
		if now != was {
			c.changed = true
			return contract.AppendString(dst, now)
		}
	case model.Struct:
		return c.object(dst, n, t)
	case model.Wrapper:
		return c.value(dst, n, t.Elem, c.in.m.NormalizeOf(t.ElemSchema))
	case model.List, model.Tuple:
		if t.Kind == model.List && slices.Contains(steps, "set") && c.in.plain(t.Elem) && c.v.Kind(n) == contract.Array {
			return c.set(dst, n, c.in.m.NormalizeOf(t.ElemSchema))
		}
		return c.array(dst, n, t)
	case model.Map:
		return c.members(dst, n, func(string) (model.Use, []string) { return t.Elem, c.in.m.NormalizeOf(t.ElemSchema) }, nil)
	case model.Union:
		for i := range t.Options {
			if o := &t.Options[i]; c.fits(n, t, o) {
				return c.value(dst, n, o.Use, nil)
			}
		}
	}
	return append(dst, c.v.Raw(n)...)
}

// fits reports whether the valid value n belongs to the option.
func (c *completer) fits(n contract.Node, t *model.Type, o *model.Option) bool {
	switch t.By {
	case "kind":
		return kinds(o.Kinds).Has(c.v.Kind(n))
	case "member":
		return slices.Contains(o.Values, string(c.v.VariantName(n, t.Member)))
	}
	return slices.ContainsFunc(o.Schemas, func(r model.Ref) bool {
		state := c.v.Probe()
		defer c.v.Resume(state)
		return c.in.checks[r](c.v, n)
	})
}

func (c *completer) array(dst []byte, n contract.Node, t *model.Type) []byte {
	if c.v.Kind(n) != contract.Array {
		return append(dst, c.v.Raw(n)...)
	}
	dst = append(dst, '[')
	i := 0
	for k := n + 1; k < c.v.Next(n); k, i = c.v.Next(k), i+1 {
		use, steps := t.Elem, c.in.m.NormalizeOf(t.ElemSchema)
		if t.Kind == model.Tuple {
			use, steps = model.Use{}, nil
			if i < len(t.Fields) {
				use, steps = t.Fields[i].Use, t.Fields[i].Normalize
			} else if t.Extra != nil {
				use, steps = *t.Extra, c.in.m.NormalizeOf(t.ElemSchema)
			}
		}
		dst = append(c.value(dst, k, use, steps), ',')
	}
	return contract.CloseArray(dst)
}

// plain reports whether values of the use are strings without a type of their own.
func (in *Interp) plain(u model.Use) bool { return !u.Nullable && in.m.Type(u.Type).Kind == model.Text }

// set appends a list of strings that is normalised to a set.
func (c *completer) set(dst []byte, n contract.Node, steps []string) []byte {
	var list []string
	for k := n + 1; k < c.v.Next(n); k = c.v.Next(k) {
		if c.v.Kind(k) != contract.String {
			return append(dst, c.v.Raw(n)...)
		}
		list = append(list, string(c.v.Text(k)))
	}
	clean := slices.Clone(list)
	for i := range clean {
		clean[i] = normalized(clean[i], steps)
	}
	now := contract.TextSet(clean)
	if slices.Equal(list, now) {
		return append(dst, c.v.Raw(n)...)
	}
	c.changed = true
	dst = append(dst, '[')
	for _, s := range now {
		dst = append(contract.AppendString(dst, s), ',')
	}
	return contract.CloseArray(dst)
}

func (c *completer) object(dst []byte, n contract.Node, t *model.Type) []byte {
	if c.v.Kind(n) != contract.Object {
		return append(dst, c.v.Raw(n)...)
	}
	return c.members(dst, n, func(name string) (model.Use, []string) {
		for i := range t.Fields {
			if t.Fields[i].Name == name {
				return t.Fields[i].Use, t.Fields[i].Normalize
			}
		}
		if t.Extra != nil {
			return *t.Extra, c.in.m.NormalizeOf(t.ElemSchema)
		}
		return model.Use{}, nil
	}, t.Fields)
}

// members appends the object n: what is there, and then the defaults of what is not.
func (c *completer) members(dst []byte, n contract.Node, use func(string) (model.Use, []string), fields []model.Field) []byte {
	if c.v.Kind(n) != contract.Object {
		return append(dst, c.v.Raw(n)...)
	}
	dst = append(dst, '{')
	for k := n + 1; k < c.v.Next(n); k = c.v.Next(k + 1) {
		name := string(c.v.Text(k))
		u, steps := use(name)
		dst = append(dst, c.v.Raw(k)...)
		dst = append(dst, ':')
		dst = append(c.value(dst, k+1, u, steps), ',')
	}
	for i := range fields {
		f := &fields[i]
		if f.Default == nil || c.v.Has(n, f.Name) {
			continue
		}
		switch text := c.fill(f); {
		case text == "":
		case c.limit > 0 && len(dst)+len(text) > c.limit:
			c.over = true
		default:
			c.changed = true
			dst = append(append(contract.AppendName(dst, f.Name), text...), ',')
		}
	}
	return contract.CloseObject(dst)
}

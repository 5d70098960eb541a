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
	c := &completer{in: in, v: v}
	out := c.value(nil, contract.Root, u, in.normalize(r))
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
}

// normalize returns what happens to strings of the schema r.
func (in *Interp) normalize(r model.Ref) []string {
	for hops := 0; r != 0 && hops < 16; hops++ {
		s := in.m.Schema(r)
		if s.Normalize != nil {
			return s.Normalize
		}
		r = s.Ref
	}
	return nil
}

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
		return c.value(dst, n, t.Elem, c.in.normalize(t.ElemSchema))
	case model.List, model.Tuple:
		if slices.Contains(steps, "set") && c.v.Kind(n) == contract.Array {
			return c.set(dst, n, c.in.normalize(t.ElemSchema))
		}
		return c.array(dst, n, t)
	case model.Map:
		return c.members(dst, n, func(string) (model.Use, []string) { return t.Elem, c.in.normalize(t.ElemSchema) }, nil)
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
		use, steps := t.Elem, c.in.normalize(t.ElemSchema)
		if t.Kind == model.Tuple {
			use, steps = model.Use{}, nil
			if i < len(t.Fields) {
				use, steps = t.Fields[i].Use, t.Fields[i].Normalize
			} else if t.Extra != nil {
				use, steps = *t.Extra, c.in.normalize(t.ElemSchema)
			}
		}
		dst = append(c.value(dst, k, use, steps), ',')
	}
	return contract.CloseArray(dst)
}

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
			return *t.Extra, c.in.normalize(t.ElemSchema)
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
		inner := contract.Acquire()
		if inner.Load([]byte(f.Default.JSON), contract.Limits{}) == nil && c.in.fitsUse(inner, f) {
			c.changed = true
			dst = contract.AppendName(dst, f.Name)
			d := &completer{in: c.in, v: inner}
			dst = append(d.value(dst, contract.Root, f.Use, f.Normalize), ',')
		}
		inner.Release()
	}
	return contract.CloseObject(dst)
}

// fitsUse reports whether a default is of its member's type; one that is not is no
// more than a remark.
func (in *Interp) fitsUse(v *contract.Validator, f *model.Field) bool {
	t := in.m.Type(f.Use.Type)
	if v.Kind(contract.Root) == contract.Null {
		return f.Use.Nullable || t.Kind == model.Any
	}
	var want contract.Kind
	switch t.Kind {
	case model.Text, model.Enum:
		want = contract.String
	case model.Integer, model.Number:
		want = contract.Num
	case model.Boolean:
		want = contract.Bool
	case model.List, model.Tuple:
		want = contract.Array
	case model.Map, model.Struct:
		want = contract.Object
	default:
		return true
	}
	return v.Kind(contract.Root) == want
}

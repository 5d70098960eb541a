package contract

// Decoder turns nodes of a validated document into Go values. It copies the text
// once; strings and numbers are slices of that copy.
type Decoder struct {
	*Validator // to try alternatives that only a check tells apart
	text       string
}

// NewDecoder returns a decoder of the document that v has validated.
func NewDecoder(v *Validator) Decoder { return Decoder{v, string(v.data)} }

// DecodeDefault calls fill with a decoder of the JSON text of a default.
func DecodeDefault(text string, fill func(d *Decoder)) {
	v := Acquire()
	defer v.Release()
	if v.Load([]byte(text), Limits{}) == nil {
		d := NewDecoder(v)
		fill(&d)
	}
}

// Str returns the decoded string n, or a member's name.
func (d *Decoder) Str(n Node) string {
	t := &d.tape[n]
	if t.flags&flagEscaped == 0 {
		return d.text[t.off:t.end]
	}
	return string(d.Doc.Text(n))
}

// Bool returns the boolean n.
func (d *Decoder) Bool(n Node) bool { return d.text[d.tape[n].off] == 't' }

// Integer returns the integer n.
func (d *Decoder) Integer(n Node) Integer { return Integer{d.text[d.tape[n].off:d.tape[n].end]} }

// Num returns the number n.
func (d *Decoder) Num(n Node) Number { return Number{d.text[d.tape[n].off:d.tape[n].end]} }

// Value returns any value n as its text.
func (d *Decoder) Value(n Node) Value {
	t := &d.tape[n]
	if t.kind == String {
		return Value{d.text[t.off-1 : t.end+1]}
	}
	return Value{d.text[t.off:t.end]}
}

// DecodeList returns the elements of the array n; never nil.
func DecodeList[T any](d *Decoder, n Node, element func(*Decoder, Node) T) []T {
	list := make([]T, 0, d.Count(n))
	end := d.Next(n)
	for n++; n < end; n = d.Next(n) {
		list = append(list, element(d, n))
	}
	return list
}

// DecodeStructs is DecodeList for elements that are filled in place.
func DecodeStructs[T any](d *Decoder, n Node, fill func(*Decoder, Node, *T)) []T {
	list := make([]T, d.Count(n))
	end := d.Next(n)
	i := 0
	for n++; n < end; n = d.Next(n) {
		fill(d, n, &list[i])
		i++
	}
	return list
}

// DecodeMap returns the members of the object n; never nil.
func DecodeMap[T any](d *Decoder, n Node, element func(*Decoder, Node) T) map[string]T {
	m := make(map[string]T, d.Count(n))
	end := d.Next(n)
	for k := n + 1; k < end; k = d.Next(k + 1) {
		m[d.Str(k)] = element(d, k+1)
	}
	return m
}

// DecodeText returns the string n as a named type.
func DecodeText[T ~string](d *Decoder, n Node) T { return T(d.Str(n)) }

// DecodeStruct returns one value that is filled in place.
func DecodeStruct[T any](d *Decoder, n Node, fill func(*Decoder, Node, *T)) T {
	var x T
	fill(d, n, &x)
	return x
}

// DecodeNew is DecodeStruct for a value that is held by reference.
func DecodeNew[T any](d *Decoder, n Node, fill func(*Decoder, Node, *T)) *T {
	x := new(T)
	fill(d, n, x)
	return x
}

// DecodeNullable returns the value n, or null.
func DecodeNullable[T any](d *Decoder, n Node, element func(*Decoder, Node) T) Nullable[T] {
	if d.Kind(n) == Null {
		return Nullable[T]{}
	}
	return NotNull(element(d, n))
}

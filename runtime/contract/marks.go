package contract

// Marks is a set of members or elements of one value, which schemas have looked at.
// The bits live on a stack of the validator.
type Marks struct {
	base, count int
	serial      uint32 // of this document's sets
}

// OpenMarks returns an empty set for the members or elements of n. CloseMarks ends
// it; sets are closed in the opposite order.
func (v *Validator) OpenMarks(n Node) Marks {
	v.sets++
	m := Marks{len(v.marks), v.Count(n), v.sets}
	for range (m.count + 63) / 64 {
		v.marks = append(v.marks, 0)
	}
	return m
}

// Mark adds the i-th member or element.
func (v *Validator) Mark(m Marks, i int) { v.marks[m.base+i/64] |= 1 << (i % 64) }

// MarkOnce reports whether schema has not been asked yet what it looks at for this
// set, and remembers that it has.
func (v *Validator) MarkOnce(m Marks, schema int) bool {
	_, known := v.memo.look(memoMark | uint64(schema+1)<<32 | uint64(m.serial))
	if !known {
		v.memo.put(memoMark|uint64(schema+1)<<32|uint64(m.serial), true)
	}
	return !known
}

// MarkFirst adds the first few.
func (v *Validator) MarkFirst(m Marks, few int) {
	for i := range min(few, m.count) {
		v.Mark(m, i)
	}
}

// MarkAll adds all.
func (v *Validator) MarkAll(m Marks) {
	for w := range (m.count + 63) / 64 {
		v.marks[m.base+w] = ^uint64(0)
	}
}

// CloseMarks checks what is not in the set, and gives the set's room back. Without
// a check nothing is allowed there. location names the keyword.
func (v *Validator) CloseMarks(n Node, m Marks, check Check, location string) bool {
	step := Node(0)
	if v.tape[n].kind == Object {
		step = 1
	}
	pass := true
	i := 0
	for k, end := n+1, v.Next(n); k < end && pass; k = v.Next(k + step) {
		if v.marks[m.base+i/64]>>(i%64)&1 == 0 {
			if check != nil {
				pass = check(v, k+step)
			} else {
				pass = v.Unevaluated(k, location)
			}
		}
		i++
	}
	v.marks = v.marks[:m.base]
	return pass
}

// Unevaluated reports a member or element that no schema allows for.
func (v *Validator) Unevaluated(k Node, location string) bool {
	return v.collect && v.record(k, "", CodeUnknown, location, "is not known here")
}

// Found returns how many issues are recorded so far.
func (v *Validator) Found() int { return len(v.issues) }

package contract

import (
	"sync"
	"unicode/utf8"
)

// Validator is a document under validation. Generated check functions have the
// form func(v *Validator, n Node) bool; false means "stop: there is nothing more
// to learn". A validator either probes, and stops at the first fault, or collects
// issues, and then goes on until MaxIssues.
type Validator struct {
	Doc
	collect bool
	max     int
	issues  Issues
	marks   []uint64 // the stack of Marks
	sets    uint32   // how many Marks were opened
	calls   int      // how many more plain calls Once makes
	memo    memo
	decoder Decoder // what Decode hands out
	patches []patch // what Complete is to change
	news    []byte  // the texts of patches
	maxNews int     // how long they may be
	own     []byte  // the text that Complete has made
}

var validators = sync.Pool{New: func() any { return new(Validator) }}

// keepTokens bounds the memory that a pooled validator may hold on to.
const keepTokens = 1 << 20

// Acquire returns a validator from the pool. Give it back with Release.
func Acquire() *Validator { return validators.Get().(*Validator) }

// Release gives v back to the pool; v and what was read from it must not be used
// any more.
func (v *Validator) Release() {
	v.data, v.issues, v.decoder = nil, nil, Decoder{}
	if cap(v.tape) > keepTokens {
		v.tape = nil
	}
	if cap(v.own) > keepTokens {
		v.own = nil
	}
	if cap(v.patches)+cap(v.news) > keepTokens {
		v.patches, v.news = nil, nil
	}
	if cap(v.scratch) > keepTokens {
		v.scratch = nil
	}
	if len(v.memo.slots) > keepTokens {
		v.memo = memo{}
	}
	if cap(v.names.slots) > keepTokens {
		v.names = nameSet{}
	}
	validators.Put(v)
}

// Load parses data under lim; see [Doc.Parse].
func (v *Validator) Load(data []byte, lim Limits) Issues {
	if err := v.Parse(data, lim); err != nil {
		return err.(*Error).Issues
	}
	v.begin(lim.fill())
	return nil
}

// begin makes v ready to check the document that it holds.
func (v *Validator) begin(lim Limits) {
	v.max = lim.MaxIssues
	v.collect, v.issues, v.marks = false, nil, v.marks[:0]
	v.memo.reset()
	v.sets, v.calls = 0, patience*(len(v.tape)+64)
}

// Run applies check to node n of the loaded document: first for the verdict alone,
// which is cheap, and only on a fault once more to collect the issues.
func (v *Validator) Run(n Node, check func(*Validator, Node) bool) Issues {
	if v.passes(check, n, false) {
		return nil
	}
	v.passes(check, n, true)
	v.collect = false
	issues := v.issues
	v.issues = nil
	if len(issues) == 0 { // cannot be: a probe failed and a collection did not
		issues = Issues{{Code: CodeRule, Message: "the document breaks its contract"}}
	}
	return issues
}

// passes calls check, which a pattern that takes too long may end early.
func (v *Validator) passes(check Check, n Node, collect bool) (ok bool) {
	defer v.endCostly(collect, &ok)
	v.collect = collect
	return check(v, n)
}

// Probe makes v stop at the first fault without recording it, until Resume is
// given the returned state. Alternatives of a union are tried this way.
func (v *Validator) Probe() (state bool) {
	state, v.collect = v.collect, false
	return state
}

// Resume restores the state that Probe returned.
func (v *Validator) Resume(state bool) { v.collect = state }

// Collecting reports whether faults are recorded.
func (v *Validator) Collecting() bool { return v.collect }

// Length returns the number of code points of the string n.
func (v *Validator) Length(n Node) int {
	t := &v.tape[n]
	switch {
	case t.flags&(flagEscaped|flagNonASCII) == 0:
		return int(t.end - t.off)
	default:
		return utf8.RuneCount(v.Text(n))
	}
}

// IsInteger reports whether the number n has an integral value, as 1, 1.0 and 1e3 have.
func (v *Validator) IsInteger(n Node) bool {
	t := &v.tape[n]
	return t.flags&flagFraction == 0 || IsIntegral(v.data[t.off:t.end])
}

// True reports whether the boolean n is true.
func (v *Validator) True(n Node) bool { return v.data[v.tape[n].off] == 't' }

// Str returns the decoded bytes of the string n, and nothing when n is no string.
// They are valid until the next call of Str or Text and must not be changed.
func (v *Validator) Str(n Node) []byte {
	if v.tape[n].kind != String {
		return nil
	}
	return v.Text(n)
}

// OneOf reports whether text is in the sorted list.
func OneOf(text []byte, sorted []string) bool {
	low, high := 0, len(sorted)
	for low < high {
		middle := int(uint(low+high) >> 1)
		switch s := sorted[middle]; {
		case string(text) == s:
			return true
		case string(text) < s:
			high = middle
		default:
			low = middle + 1
		}
	}
	return false
}

// Probes reports whether n passes check, recording nothing.
func (v *Validator) Probes(check Check, n Node) bool {
	state := v.Probe()
	passes := check(v, n)
	v.Resume(state)
	return passes
}

// Has reports whether the object n has a member with that name.
func (v *Validator) Has(n Node, name string) bool {
	_, found := v.Member(n, name)
	return found
}

// Anything is the check of a schema that accepts every value.
func Anything(*Validator, Node) bool { return true }

// CheckType is the check of a schema that only asks for a type.
func (v *Validator) CheckType(n Node, want Kinds, location string) bool {
	return want.Has(v.tape[n].kind) || v.WrongType(n, want, location)
}

// CheckInteger is the check of a schema that only asks for an integer.
func (v *Validator) CheckInteger(n Node, location string) bool {
	return v.tape[n].kind == Num && v.IsInteger(n) || v.NotInteger(n, location)
}

// CheckLength is the check of a schema that only asks for a string of least to most
// code points; most below 0 is no bound.
func (v *Validator) CheckLength(n Node, least, most int, location string) bool {
	if v.tape[n].kind != String {
		return v.WrongType(n, 1<<String, location)
	}
	switch length := v.Length(n); {
	case length < least:
		return v.TooShort(n, least, location)
	case length > most && most >= 0:
		return v.TooLong(n, most, location)
	}
	return true
}

// CheckConst is the check of a schema that only asks for one string.
func (v *Validator) CheckConst(n Node, want, location string) bool {
	if v.tape[n].kind == String && string(v.Text(n)) == want {
		return true
	}
	return v.collect && v.NotConst(n, quote(want), location)
}

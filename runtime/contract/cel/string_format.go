package cel

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// mostPrecision is the largest number of decimals that a clause may ask for.
const mostPrecision = 100

// Format is s.format(list): %s, %d, %f, %e, %b, %x, %X, %o and %%, with a precision as in
// %.3f where it makes sense.
func (c *Ctx) Format(s, args Val) Val {
	if bad := accepts([]Val{s, args}, KindString, KindList); bad.kind == KindError {
		return bad
	}
	items, bad := c.items(args)
	if bad.kind == KindError {
		return bad
	}
	f := formatter{c: c, args: items}
	for rest := s.str; ; {
		before, after, found := strings.Cut(rest, "%")
		from := len(f.out)
		f.out = append(f.out, before...)
		if !c.spendMade(len(before)) {
			return errLimit
		}
		if !found {
			return String(string(f.out))
		}
		if rest = f.clause(after); f.bad.kind == KindError {
			return f.bad
		}
		if !c.spendMade(len(f.out) - from) {
			return errLimit
		}
	}
}

type formatter struct {
	c    *Ctx
	args []Val
	next int
	out  []byte
	bad  Val
}

func (f *formatter) fail(msg string) string {
	f.bad = Err(msg)
	return ""
}

// clause formats what stands behind a percent sign and returns what follows.
func (f *formatter) clause(s string) string {
	f.bad = Null()
	if strings.HasPrefix(s, "%") {
		f.out = append(f.out, '%')
		return s[1:]
	}
	if f.next >= len(f.args) {
		return f.fail(fmt.Sprintf("index %d out of range", f.next))
	}
	arg := f.args[f.next]
	f.next++
	precision := 6
	if strings.HasPrefix(s, ".") {
		after := strings.TrimLeft(s[1:], "0123456789")
		p, err := strconv.Atoi(s[1 : len(s)-len(after)])
		if err != nil || p > mostPrecision {
			return f.fail("could not parse formatting clause: bad precision")
		}
		precision, s = p, after
	}
	if s == "" {
		return f.fail("unexpected end of string")
	}
	switch s[0] {
	case 's':
		f.value(arg)
	case 'd':
		f.decimal(arg)
	case 'f', 'e':
		f.float(arg, s[0], precision)
	case 'b':
		f.radix(arg, 2)
	case 'o':
		f.radix(arg, 8)
	case 'x', 'X':
		f.hex(arg, s[0] == 'X')
	default:
		return f.fail("could not parse formatting clause: unrecognized formatting clause")
	}
	return s[1:]
}

func (f *formatter) wrong(arg Val, clause string) {
	f.bad = badArg(arg, "error during formatting: "+clause+" clause cannot be used on "+arg.typeName())
}

func (f *formatter) decimal(arg Val) {
	switch arg.kind {
	case KindInt, KindUint, KindDouble:
		f.value(arg)
	default:
		f.wrong(arg, "decimal")
	}
}

func (f *formatter) float(arg Val, verb byte, precision int) {
	x, ok := asFloat(arg)
	switch {
	case !ok:
		f.wrong(arg, "fixed-point or scientific")
	case math.IsNaN(x) || math.IsInf(x, 0):
		f.value(Double(x))
	default:
		f.out = strconv.AppendFloat(f.out, x, verb, precision, 64)
	}
}

func asFloat(v Val) (float64, bool) {
	switch v.kind {
	case KindInt:
		return float64(v.int()), true
	case KindUint:
		return float64(v.num), true
	case KindDouble:
		return v.double(), true
	}
	return 0, false
}

func (f *formatter) radix(arg Val, base int) {
	switch {
	case arg.kind == KindInt:
		f.out = strconv.AppendInt(f.out, arg.int(), base)
	case arg.kind == KindUint, arg.kind == KindBool && base == 2:
		f.out = strconv.AppendUint(f.out, arg.num, base)
	default:
		f.wrong(arg, "binary or octal")
	}
}

func (f *formatter) hex(arg Val, upper bool) {
	from := len(f.out)
	switch arg.kind {
	case KindInt, KindUint:
		f.radix(arg, 16)
	case KindString, KindBytes:
		if !f.c.spendText(len(arg.str)) {
			f.bad = errLimit
			return
		}
		f.out = fmt.Appendf(f.out, "%x", arg.str)
	default:
		f.wrong(arg, "hex")
	}
	if upper {
		f.out = append(f.out[:from], strings.ToUpper(string(f.out[from:]))...)
	}
}

// value writes any value as %s does.
func (f *formatter) value(v Val) {
	switch v.kind {
	case KindNull:
		f.out = append(f.out, "null"...)
	case KindBool:
		f.out = strconv.AppendBool(f.out, v.num != 0)
	case KindInt:
		f.out = strconv.AppendInt(f.out, v.int(), 10)
	case KindUint:
		f.out = strconv.AppendUint(f.out, v.num, 10)
	case KindDouble: // up to 300 digits
		if !f.c.spend(16) {
			f.bad = errLimit
			return
		}
		f.out = appendPlainDouble(f.out, v.double())
	case KindString, KindBytes, KindType:
		if !f.c.spendMade(len(v.str)) {
			f.bad = errLimit
			return
		}
		f.out = append(f.out, v.str...)
	case KindDuration:
		f.out = append(f.out, formatDuration(v)...)
	case KindTimestamp:
		f.out = append(f.out, formatTime(packTime(seconds(v), int(v.node), 0))...)
	case KindList:
		f.list(v)
	case KindMap:
		f.mapping(v)
	default:
		f.wrong(v, "string")
	}
}

func appendPlainDouble(dst []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

func (f *formatter) list(v Val) {
	f.out = append(f.out, '[')
	it := f.c.Iter(v)
	for i := 0; it.Next() && f.bad.kind != KindError; i++ {
		if i > 0 {
			f.out = append(f.out, ", "...)
		}
		f.value(it.Val())
	}
	f.out = append(f.out, ']')
	if bad, failed := it.Err(); failed {
		f.bad = bad
	}
}

// mapping writes a map in the order of its keys' texts.
func (f *formatter) mapping(v Val) {
	type entry struct{ key, val string }
	var entries []entry
	out := f.out
	it := f.c.Iter(v)
	for it.Next() {
		var e entry
		f.out = nil
		f.value(it.Key())
		e.key, f.out = string(f.out), nil
		f.value(it.Val())
		e.val = string(f.out)
		if !f.c.spendText(len(e.key) + len(e.val)) { // once for each map around it
			f.bad = errLimit
		}
		if entries = append(entries, e); f.bad.kind == KindError {
			return
		}
	}
	if bad, failed := it.Err(); failed {
		f.bad = bad
		return
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].key < entries[j].key })
	f.out = append(out, '{')
	for i, e := range entries {
		if i > 0 {
			f.out = append(f.out, ", "...)
		}
		f.out = append(append(append(f.out, e.key...), ": "...), e.val...)
	}
	f.out = append(f.out, '}')
}

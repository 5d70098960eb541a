package contract

import (
	"bytes"
	"unicode"
)

// isALabel reports whether encoded, what follows xn--, is the Punycode form
// (RFC 3492) of a label that IDNA 2008 allows.
func isALabel(encoded []byte) bool {
	var buf [63]rune
	label, ok := decodePunycode(encoded, buf[:0])
	if !ok || !isULabel(label) {
		return false
	}
	// There is one spelling of each label; the decoder takes others too.
	var again [63]byte
	spelled, ok := encodePunycode(label, again[:0])
	return ok && bytes.EqualFold(spelled, encoded)
}

// Parameters of RFC 3492, section 5.
const (
	punycodeBase = 36
	punycodeTMin = 1
	punycodeTMax = 26
	punycodeSkew = 38
	punycodeDamp = 700
	punycodeBias = 72
)

// punycodeAdapt gives the bias after a delta, for count code points so far.
func punycodeAdapt(delta, count int, first bool) int {
	if first {
		delta /= punycodeDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	bias := 0
	for delta > (punycodeBase-punycodeTMin)*punycodeTMax/2 {
		delta /= punycodeBase - punycodeTMin
		bias += punycodeBase
	}
	return bias + (punycodeBase-punycodeTMin+1)*delta/(delta+punycodeSkew)
}

func punycodeThreshold(step, bias int) int {
	return min(max(step-bias, punycodeTMin), punycodeTMax)
}

// encodePunycode appends the Punycode form of at most 63 code points to out; it
// fails when that takes more room than out has.
func encodePunycode(label []rune, out []byte) ([]byte, bool) {
	for _, r := range label {
		if r < 0x80 {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(0x80), 0, punycodeBias
	for done := basic; done < len(label); n++ {
		least := rune(unicode.MaxRune)
		for _, r := range label {
			if r >= n {
				least = min(least, r)
			}
		}
		delta += int(least-n) * (done + 1)
		n = least
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for step := punycodeBase; ; step += punycodeBase {
				if len(out) == cap(out) {
					return nil, false
				}
				t := punycodeThreshold(step, bias)
				if q < t {
					out = append(out, punycodeByte(q))
					break
				}
				out = append(out, punycodeByte(t+(q-t)%(punycodeBase-t)))
				q = (q - t) / (punycodeBase - t)
			}
			done++
			bias = punycodeAdapt(delta, done, done == basic+1)
			delta = 0
		}
		delta++
	}
	return out, true
}

func punycodeByte(digit int) byte {
	if digit < 26 {
		return byte('a' + digit)
	}
	return byte('0' + digit - 26)
}

// decodePunycode appends the code points to out, which has room for 63: a label
// has no more bytes, and each code point takes one at least.
func decodePunycode(s []byte, out []rune) ([]rune, bool) {
	const limit = 1 << 30
	start := 0
	for i, c := range s {
		if c == '-' {
			start = i
		}
	}
	for _, c := range s[:start] {
		out = append(out, rune(c))
	}
	if start > 0 {
		start++
	}
	n, i, bias := 0x80, 0, punycodeBias
	for k := start; k < len(s); {
		before, weight := i, 1
		for step := punycodeBase; ; step += punycodeBase {
			if k == len(s) {
				return nil, false
			}
			digit := punycodeDigit(s[k])
			k++
			if digit < 0 || digit > (limit-i)/weight {
				return nil, false
			}
			i += digit * weight
			t := punycodeThreshold(step, bias)
			if digit < t {
				break
			}
			if weight > limit/(punycodeBase-t) {
				return nil, false
			}
			weight *= punycodeBase - t
		}
		count := len(out) + 1
		bias = punycodeAdapt(i-before, count, before == 0)
		n += i / count
		i %= count
		if n > unicode.MaxRune || n >= 0xD800 && n < 0xE000 || len(out) == cap(out) {
			return nil, false
		}
		out = append(out, 0)
		copy(out[i+1:], out[i:])
		out[i] = rune(n)
		i++
	}
	return out, true
}

func punycodeDigit(c byte) int {
	switch {
	case c-'0' <= 9:
		return int(c-'0') + 26
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20) - 'a'
	}
	return -1
}

// isULabel checks a label beyond ASCII by RFC 5891 (hyphens, first character)
// and RFC 5892 (letters, digits and marks; exceptions; context). It does not ask
// for normalization form C.
func isULabel(label []rune) bool {
	n := len(label)
	if n == 0 || label[0] == '-' || label[n-1] == '-' || n >= 4 && label[2] == '-' && label[3] == '-' {
		return false
	}
	if unicode.Is(unicode.M, label[0]) {
		return false
	}
	beyond := false
	for i, r := range label {
		beyond = beyond || r >= 0x80
		if !isLabelRune(label, i) {
			return false
		}
	}
	return beyond && (!hasRightToLeft(label) || followsBidi(label))
}

func isLabelRune(label []rune, i int) bool {
	r := label[i]
	if r < 0x80 {
		return alnumSet.Has(byte(r)) || r == '-'
	}
	at := func(k int) rune {
		if k < 0 || k >= len(label) {
			return 0
		}
		return label[k]
	}
	switch r {
	case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: // allowed by exception
		return true
	case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B: // refused by exception
		return false
	case 0xB7: // middle dot, in Catalan
		return at(i-1) == 'l' && at(i+1) == 'l'
	case 0x375: // Greek keraia
		return unicode.Is(unicode.Greek, at(i+1))
	case 0x5F3, 0x5F4: // Hebrew geresh and gershayim
		return unicode.Is(unicode.Hebrew, at(i-1))
	case 0x30FB: // Katakana middle dot
		for _, other := range label {
			if other != r && unicode.In(other, unicode.Hiragana, unicode.Katakana, unicode.Han) {
				return true
			}
		}
		return false
	case 0x200C:
		return isVirama(at(i-1)) || joins(label, i)
	case 0x200D:
		return isVirama(at(i - 1))
	}
	if arabicDigits(r) != 0 {
		for _, other := range label {
			if k := arabicDigits(other); k != 0 && k != arabicDigits(r) {
				return false
			}
		}
		return true
	}
	return unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Mn, unicode.Mc, unicode.Nd)
}

// arabicDigits tells the two kinds of Arabic digits, which must not be mixed.
func arabicDigits(r rune) int {
	switch {
	case r >= 0x660 && r <= 0x669:
		return 1
	case r >= 0x6F0 && r <= 0x6F9:
		return 2
	}
	return 0
}

// isVirama reports whether r has the canonical combining class 9.
func isVirama(r rune) bool {
	switch r {
	case 0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD3B, 0xD3C, 0xD4D, 0xDCA, 0xE3A, 0xEBA, 0xF84,
		0x1039, 0x103A, 0x1714, 0x1715, 0x1734, 0x17D2, 0x1A60, 0x1B44, 0x1BAA, 0x1BAB, 0x1BF2, 0x1BF3, 0x2D7F,
		0xA806, 0xA82C, 0xA8C4, 0xA953, 0xA9C0, 0xAAF6, 0xABED, 0x10A3F, 0x11046, 0x1107F, 0x110B9, 0x11133, 0x11134,
		0x111C0, 0x11235, 0x112EA, 0x1134D, 0x11442, 0x114C2, 0x115BF, 0x1163F, 0x116B6, 0x1172B, 0x11839:
		return true
	}
	return false
}

// joins approximates the rule for a zero-width non-joiner between letters that
// would join: an Arabic letter (marks aside) stands on either side.
func joins(label []rune, i int) bool {
	side := func(k, step int) bool {
		for k >= 0 && k < len(label) && unicode.Is(unicode.Mn, label[k]) {
			k += step
		}
		return k >= 0 && k < len(label) && unicode.Is(unicode.Arabic, label[k]) && unicode.IsLetter(label[k])
	}
	return side(i-1, -1) && side(i+1, 1)
}

package contract

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// IsIDNHostname reports whether s is a host name whose labels may be beyond
// ASCII, by RFC 5890 to 5893. Labels are separated by a dot or one of its three
// East Asian forms; lengths count in the ASCII form. Its knowledge of characters
// is that of Go's unicode package, which has no normalization forms and no Bidi
// classes: the former are not asked for, the latter follow from scripts.
func IsIDNHostname(s []byte) bool {
	// No label is longer in UTF-8 than four bytes for each of its code points.
	if len(s) == 0 || len(s) > 4*253 || !utf8.Valid(s) {
		return false
	}
	total, bidi, strict := 0, false, true
	var buf [63]rune
	for rest := s; rest != nil; {
		var label []byte
		label, rest = cutLabel(rest)
		runes, width, ok := hostLabel(label, buf[:0])
		if !ok {
			return false
		}
		if total > 0 {
			total++
		}
		total += width
		bidi = bidi || hasRightToLeft(runes)
		strict = strict && followsBidi(runes)
	}
	return total <= 253 && (!bidi || strict)
}

// cutLabel gives what stands before the first separator, and what follows it:
// nil if there is none, else not nil.
func cutLabel(s []byte) (label, rest []byte) {
	for i, r := range string(s) {
		switch r {
		case '.':
			return s[:i], s[i+1:]
		case '\u3002', '\uff0e', '\uff61':
			return s[:i], s[i+3:]
		}
	}
	return s, nil
}

// hostLabel gives the code points of a label, and the length of its ASCII form.
func hostLabel(label []byte, buf []rune) (runes []rune, width int, ok bool) {
	for _, r := range string(label) {
		if len(buf) == cap(buf) {
			return nil, 0, false
		}
		buf = append(buf, r)
	}
	if bytes.IndexFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		if !IsHostname(label) {
			return nil, 0, false
		}
		if len(label) > 4 && bytes.EqualFold(label[:4], []byte("xn--")) {
			buf, ok = decodePunycode(label[4:], buf[:0])
			return buf, len(label), ok
		}
		return buf, len(label), true
	}
	var ascii [63]byte
	encoded, ok := encodePunycode(buf, ascii[:0])
	width = len(encoded) + len("xn--")
	return buf, width, ok && width <= 63 && isULabel(buf)
}

// hasRightToLeft reports whether a label makes its domain name a Bidi one.
func hasRightToLeft(label []rune) bool {
	for _, r := range label {
		if c := bidiClass(r); c == bidiRight || c == bidiArabicNumber {
			return true
		}
	}
	return false
}

// bidi is a Bidi class, as far as the rule of RFC 5893 tells them apart.
type bidi uint8

const (
	bidiLeft   bidi = iota // L
	bidiRight              // R and AL
	bidiNumber             // EN
	bidiArabicNumber
	bidiMark    // NSM
	bidiNeutral // what may stand inside a label of either direction
)

func bidiClass(r rune) bidi {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case r >= '0' && r <= '9':
			return bidiNumber
		case alnumSet.Has(byte(r)):
			return bidiLeft
		}
		return bidiNeutral
	case arabicDigits(r) == 1:
		return bidiArabicNumber
	case arabicDigits(r) == 2:
		return bidiNumber
	case r == 0xB7 || r == 0x375 || r == 0x30FB || r == 0x200C || r == 0x200D:
		return bidiNeutral
	case unicode.Is(unicode.Mn, r):
		return bidiMark
	case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan,
		unicode.Mandaic, unicode.Adlam, unicode.Mende_Kikakui, unicode.Hanifi_Rohingya):
		return bidiRight
	}
	return bidiLeft
}

// followsBidi checks a label by RFC 5893, section 2.
func followsBidi(label []rune) bool {
	right := false
	switch bidiClass(label[0]) {
	case bidiLeft:
	case bidiRight:
		right = true
	default:
		return false
	}
	last := bidiNeutral
	number, arabicNumber := false, false
	for _, r := range label {
		c := bidiClass(r)
		switch {
		case c == bidiMark:
			continue
		case right && c == bidiLeft, !right && (c == bidiRight || c == bidiArabicNumber):
			return false
		}
		number = number || c == bidiNumber
		arabicNumber = arabicNumber || c == bidiArabicNumber
		last = c
	}
	return last != bidiNeutral && !(right && number && arabicNumber)
}

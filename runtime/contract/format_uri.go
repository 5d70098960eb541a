package contract

import "unicode/utf8"

// Bits of RFC 3986's sets.
const (
	bitsSubDelims  = 1<<'!' | 1<<'$' | 1<<'&' | 1<<'\'' | 1<<'(' | 1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<';' | 1<<'='
	bitsUnreserved = bitsDigit | 1<<'-' | 1<<'.' // and, of the second word, the next
	bitsUnreserve2 = bitsAlpha | 1<<('_'-64) | 1<<('~'-64)
)

// Sets of the parts of a URI; percent signs and code points beyond ASCII are
// looked at apart.
var (
	schemeSet   = ByteSet{bitsDigit | 1<<'+' | 1<<'-' | 1<<'.', bitsAlpha}
	regNameSet  = ByteSet{bitsUnreserved | bitsSubDelims, bitsUnreserve2}
	userInfoSet = ByteSet{bitsUnreserved | bitsSubDelims | 1<<':', bitsUnreserve2}
	segmentSet  = ByteSet{bitsUnreserved | bitsSubDelims, bitsUnreserve2 | 1<<('@'-64)} // without a colon
	pathSet     = ByteSet{bitsUnreserved | bitsSubDelims | 1<<':' | 1<<'/', bitsUnreserve2 | 1<<('@'-64)}
	querySet    = ByteSet{bitsUnreserved | bitsSubDelims | 1<<':' | 1<<'/' | 1<<'?', bitsUnreserve2 | 1<<('@'-64)}
)

// charset says which code points beyond ASCII may stand in a part.
type charset uint8

const (
	onlyASCII    charset = iota
	withUCS              // ucschar of RFC 3987
	withUCSQuery         // ucschar and iprivate, in queries
)

// IsURI reports whether s is a URI by RFC 3986, with a scheme.
func IsURI(s []byte) bool { return isResource(s, onlyASCII, true) }

// IsURIReference reports whether s is a URI or a relative reference by RFC 3986.
func IsURIReference(s []byte) bool { return isResource(s, onlyASCII, false) }

// IsIRI reports whether s is an IRI by RFC 3987, with a scheme.
func IsIRI(s []byte) bool { return isResource(s, withUCS, true) }

// IsIRIReference reports whether s is an IRI or a relative reference by RFC 3987.
func IsIRIReference(s []byte) bool { return isResource(s, withUCS, false) }

func isResource(s []byte, cs charset, absolute bool) bool {
	i := schemeEnd(s)
	if i == 0 && absolute {
		return false
	}
	switch {
	case len(s)-i >= 2 && s[i] == '/' && s[i+1] == '/':
		if i = authorityEnd(s, i+2, cs); i < 0 {
			return false
		}
		// What follows an authority is a slash or another part.
		if i < len(s) && s[i] == '/' {
			i = partEnd(s, i, &pathSet, cs)
		}
	case i == 0:
		// The first segment of a relative path must not look like a scheme.
		if i = partEnd(s, i, &segmentSet, cs); i < len(s) && s[i] == '/' {
			i = partEnd(s, i, &pathSet, cs)
		}
	default:
		i = partEnd(s, i, &pathSet, cs)
	}
	if i < len(s) && s[i] == '?' {
		query := cs
		if cs == withUCS {
			query = withUCSQuery
		}
		i = partEnd(s, i+1, &querySet, query)
	}
	if i < len(s) && s[i] == '#' {
		i = partEnd(s, i+1, &querySet, cs)
	}
	return i == len(s)
}

// schemeEnd gives the offset after a scheme and its colon, 0 if there is none.
func schemeEnd(s []byte) int {
	if len(s) == 0 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return 0
	}
	if i := schemeSet.Run(s, 1); i < len(s) && s[i] == ':' {
		return i + 1
	}
	return 0
}

// partEnd steps over members of set, percent triplets, and what cs allows.
func partEnd(s []byte, i int, set *ByteSet, cs charset) int {
	for {
		i = set.Run(s, i)
		switch {
		case i < len(s) && s[i] == '%':
			if len(s)-i < 3 || !hexSet.Has(s[i+1]) || !hexSet.Has(s[i+2]) {
				return i
			}
			i += 3
		case cs != onlyASCII && i < len(s) && s[i] >= utf8.RuneSelf:
			r, w := utf8.DecodeRune(s[i:])
			if !isUCS(r) && (cs != withUCSQuery || !isPrivate(r)) {
				return i
			}
			i += w
		default:
			return i
		}
	}
}

func isUCS(r rune) bool {
	switch {
	case r < 0x10000:
		return r >= 0xA0 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFEF
	case r >= 0xE0000:
		return r >= 0xE1000 && r <= 0xEFFFD
	}
	return r&0xFFFF <= 0xFFFD
}

func isPrivate(r rune) bool {
	return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 && r&0xFFFF <= 0xFFFD
}

// authorityEnd steps over user, host and port from i on; -1 if they are malformed.
func authorityEnd(s []byte, i int, cs charset) int {
	// A user is there if an @ follows its characters; else they are host and port.
	if end := partEnd(s, i, &userInfoSet, cs); end < len(s) && s[end] == '@' {
		i = end + 1
	}
	if i < len(s) && s[i] == '[' {
		start := i + 1
		for i < len(s) && s[i] != ']' {
			i++
		}
		if i == len(s) || !IsIPv6(s[start:i]) && !isIPvFuture(s[start:i]) {
			return -1
		}
		i++
	} else {
		i = partEnd(s, i, &regNameSet, cs)
	}
	if i < len(s) && s[i] == ':' {
		for i++; i < len(s) && s[i]-'0' <= 9; i++ {
		}
	}
	if i < len(s) && s[i] != '/' && s[i] != '?' && s[i] != '#' {
		return -1
	}
	return i
}

func isIPvFuture(s []byte) bool {
	if len(s) < 4 || s[0]|0x20 != 'v' {
		return false
	}
	i := hexSet.Run(s, 1)
	return i > 1 && i+1 < len(s) && s[i] == '.' && userInfoSet.Run(s, i+1) == len(s)
}

package contract

import "unicode/utf8"

// templateSet are the ASCII literals of RFC 6570, 2.1, with the apostrophe of
// its erratum 6937.
var templateSet = ByteSet{
	bitsDigit | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'&' | 1<<'\'' | 1<<'(' | 1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<'-' | 1<<'.' | 1<<'/' |
		1<<':' | 1<<';' | 1<<'=' | 1<<'?',
	bitsAlpha | 1<<('@'-64) | 1<<('['-64) | 1<<(']'-64) | 1<<('_'-64) | 1<<('~'-64),
}

// varNameSet are the characters of a variable's name but dots and percents.
var varNameSet = ByteSet{bitsDigit, bitsAlpha | 1<<('_'-64)}

// IsURITemplate reports whether s is a URI template by RFC 6570, of any level.
func IsURITemplate(s []byte) bool {
	for i := 0; ; {
		i = partEnd(s, i, &templateSet, withUCSQuery)
		switch {
		case i == len(s):
			return true
		case s[i] != '{':
			return false
		}
		if i = expressionEnd(s, i+1); i < 0 {
			return false
		}
	}
}

// expressionEnd gives the offset after the } of an expression that begins at i,
// -1 if it is malformed.
func expressionEnd(s []byte, i int) int {
	if i < len(s) {
		switch s[i] {
		case '+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|':
			i++
		}
	}
	for {
		if i = variableEnd(s, i); i < 0 || i == len(s) {
			return -1
		}
		switch s[i] {
		case '}':
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

// variableEnd steps over a name such as a.b and its modifier, * or :n with n
// from 1 to 9999.
func variableEnd(s []byte, i int) int {
	for {
		start := i
		if i = partEnd(s, i, &varNameSet, onlyASCII); i == start || i == len(s) {
			return -1
		}
		if s[i] != '.' {
			break
		}
		i++
	}
	switch s[i] {
	case '*':
		return i + 1
	case ':':
		start := i + 1
		for i = start; i < len(s) && s[i]-'0' <= 9; i++ {
		}
		if n := i - start; n == 0 || n > 4 || s[start] == '0' {
			return -1
		}
	}
	return i
}

// IsUUID reports whether s is a UUID in the 36 characters of RFC 4122, of any
// version and variant.
func IsUUID(s []byte) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
		hexSet.All(s[:8]) && hexSet.All(s[9:13]) && hexSet.All(s[14:18]) && hexSet.All(s[19:23]) && hexSet.All(s[24:])
}

// IsJSONPointer reports whether s is a JSON Pointer by RFC 6901, in its string form.
func IsJSONPointer(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	if s[0] != '/' {
		return false
	}
	for i, c := range s {
		if c == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return utf8.Valid(s)
}

// IsRelativeJSONPointer reports whether s is a Relative JSON Pointer: a number
// of levels up, and then # or a JSON Pointer.
func IsRelativeJSONPointer(s []byte) bool {
	i := 0
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	if i == 0 || i > 1 && s[0] == '0' {
		return false
	}
	return len(s) == i+1 && s[i] == '#' || IsJSONPointer(s[i:])
}

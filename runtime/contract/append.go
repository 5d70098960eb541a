package contract

import (
	"maps"
	"slices"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Only what must be escaped is, as RFC
// 8785 wants it; bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// AppendName appends a member's name and its colon.
func AppendName(dst []byte, name string) []byte { return append(AppendString(dst, name), ':') }

// CloseObject ends an object, and CloseArray an array, whose members or elements
// each left a comma behind.
func CloseObject(dst []byte) []byte { return closeWith(dst, '}') }

// CloseArray ends an array.
func CloseArray(dst []byte) []byte { return closeWith(dst, ']') }

func closeWith(dst []byte, end byte) []byte {
	if n := len(dst) - 1; dst[n] == ',' {
		dst[n] = end
		return dst
	}
	return append(dst, end)
}

// AppendList appends an array.
func AppendList[T any](dst []byte, list []T, element func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for _, x := range list {
		dst = append(element(dst, x), ',')
	}
	return CloseArray(dst)
}

// AppendMap appends an object, its names in order.
func AppendMap[T any](dst []byte, m map[string]T, element func([]byte, T) []byte) []byte {
	return CloseObject(AppendMembers(append(dst, '{'), m, element))
}

// AppendMembers appends the members of m, each with a comma behind it.
func AppendMembers[T any](dst []byte, m map[string]T, element func([]byte, T) []byte) []byte {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		dst = append(element(AppendName(dst, name), m[name]), ',')
	}
	return dst
}

// AppendNullable appends the value or null.
func AppendNullable[T any](dst []byte, x Nullable[T], element func([]byte, T) []byte) []byte {
	if !x.set {
		return append(dst, "null"...)
	}
	return element(dst, x.value)
}

// AppendText appends a string of a named type.
func AppendText[T ~string](dst []byte, s T) []byte { return AppendString(dst, string(s)) }

// AppendInteger appends the number's text.
func AppendInteger(dst []byte, i Integer) []byte { return append(dst, i.String()...) }

// AppendNumber appends the number's text.
func AppendNumber(dst []byte, n Number) []byte { return append(dst, n.String()...) }

// AppendValue appends the value's text.
func AppendValue(dst []byte, v Value) []byte { return append(dst, v.JSON()...) }

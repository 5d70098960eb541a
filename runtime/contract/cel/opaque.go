package cel

import "fmt"

// comparable opaque values compare as Go values do; others say how.
type equaler interface{ equal(other any) bool }

func equalOpaque(a, b any) bool {
	if e, ok := a.(equaler); ok {
		return e.equal(b)
	}
	return a == b
}

// opaqueString is string() of the opaque types that have it.
func opaqueString(x any) (string, bool) {
	s, ok := x.(fmt.Stringer)
	if !ok {
		return "", false
	}
	return s.String(), true
}

func runeCount(s string) int {
	n := 0
	for range s {
		n++
	}
	return n
}

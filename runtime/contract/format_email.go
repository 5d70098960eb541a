package contract

import (
	"bytes"
	"unicode/utf8"
)

// maxLocalPart is RFC 5321's limit in bytes for what stands before the @.
const maxLocalPart = 64

// atextSet is the atext of RFC 5322 and the dot.
var atextSet = ByteSet{
	bitsDigit | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.' | 1<<'/' | 1<<'=' | 1<<'?',
	bitsAlpha | 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('{'-64) | 1<<('|'-64) | 1<<('}'-64) | 1<<('~'-64),
}

// IsEmail reports whether s is a mailbox by RFC 5321, 4.1.2: a dotted or quoted
// local part of at most 64 bytes, @, and a host name or an address in brackets.
func IsEmail(s []byte) bool { return isEmail(s, false) }

// IsIDNEmail is IsEmail with any code point beyond ASCII in the place of a
// letter (RFC 6531).
func IsIDNEmail(s []byte) bool { return isEmail(s, true) }

func isEmail(s []byte, international bool) bool {
	at := localPart(s, international)
	if at <= 0 || at > maxLocalPart || at >= len(s) || s[at] != '@' {
		return false
	}
	domain := s[at+1:]
	if len(domain) > 2 && domain[0] == '[' && domain[len(domain)-1] == ']' {
		literal := domain[1 : len(domain)-1]
		const tag = "IPv6:"
		if len(literal) > len(tag) && bytes.EqualFold(literal[:len(tag)], []byte(tag)) {
			return IsIPv6(literal[len(tag):])
		}
		return IsIPv4(literal)
	}
	return isHostname(domain, international)
}

// localPart gives the end of the local part, -1 if it is malformed.
func localPart(s []byte, international bool) int {
	if len(s) > 0 && s[0] == '"' {
		return quotedEnd(s, international)
	}
	dot := true // a dot may not come next
	for i, c := range s {
		switch {
		case c == '.':
			if dot {
				return -1
			}
			dot = true
			continue
		case atextSet.Has(c) || c >= utf8.RuneSelf && international:
			dot = false
		case dot:
			return -1
		default:
			return i
		}
	}
	return -1
}

func quotedEnd(s []byte, international bool) int {
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"':
			return i + 1
		case c == '\\':
			if i++; i == len(s) || s[i] < ' ' || s[i] > '~' {
				return -1
			}
		case c < ' ' || c == 0x7F || c >= utf8.RuneSelf && !international:
			return -1
		}
	}
	return -1
}

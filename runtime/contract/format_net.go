package contract

import "unicode/utf8"

// IsIPv4 reports whether s is four decimal numbers up to 255 with dots between,
// without leading zeros (RFC 2673, 3.2).
func IsIPv4(s []byte) bool {
	if len(s) < len("0.0.0.0") || len(s) > len("255.255.255.255") {
		return false
	}
	octets, value, digits := 0, 0, 0
	for _, c := range s {
		if c == '.' {
			if octets++; digits == 0 || octets > 3 {
				return false
			}
			value, digits = 0, 0
			continue
		}
		if c -= '0'; c > 9 || digits > 0 && value == 0 {
			return false
		}
		value = value*10 + int(c)
		if digits++; value > 255 {
			return false
		}
	}
	return octets == 3 && digits > 0
}

// IsIPv6 reports whether s is an IPv6 address in one of the text forms of
// RFC 4291, 2.2, without brackets, zone or prefix length.
func IsIPv6(s []byte) bool {
	const longest = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")
	if len(s) < 2 || len(s) > longest {
		return false
	}
	groups, gap := 0, false
	i := 0
	if s[0] == ':' {
		if s[1] != ':' {
			return false
		}
		gap = true
		i = 2
	}
	for i < len(s) {
		start := i
		for i < len(s) && hexSet.Has(s[i]) {
			i++
		}
		if i < len(s) && s[i] == '.' {
			groups += 2
			if !IsIPv4(s[start:]) {
				return false
			}
			break
		}
		if n := i - start; n == 0 || n > 4 {
			return false
		}
		groups++
		if i == len(s) {
			break
		}
		if s[i] != ':' {
			return false
		}
		if i++; i == len(s) {
			return false
		}
		if s[i] == ':' {
			if gap {
				return false
			}
			gap = true
			i++
		}
	}
	return groups == 8 && !gap || groups < 8 && gap
}

// Bits of the words of a ByteSet: words 0 and 1 hold ASCII.
const (
	bitsDigit    = (1<<10 - 1) << '0'
	bitsUpper    = (1<<26 - 1) << ('A' - 64)
	bitsLower    = (1<<26 - 1) << ('a' - 64)
	bitsAlpha    = bitsUpper | bitsLower
	bitsUpperHex = (1<<6 - 1) << ('A' - 64)
	bitsLowerHex = (1<<6 - 1) << ('a' - 64)
)

var (
	hexSet   = ByteSet{bitsDigit, bitsUpperHex | bitsLowerHex}
	alnumSet = ByteSet{bitsDigit, bitsAlpha}
)

// IsHostname reports whether s is a host name by RFC 1123: labels of 1 to 63
// letters, digits and inner hyphens, 253 bytes in all. A label that begins with
// xn-- must be the Punycode form of a label that RFC 5891 to 5893 allow.
func IsHostname(s []byte) bool { return isHostname(s, false) }

// isHostname checks a host name; international ones may have any code point
// beyond ASCII in the place of a letter.
func isHostname(s []byte, international bool) bool {
	if len(s) == 0 || len(s) > 253 {
		return false
	}
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			c := s[i]
			if !alnumSet.Has(c) && c != '-' && (c < utf8.RuneSelf || !international) {
				return false
			}
			continue
		}
		label := s[start:i]
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if len(label) >= 4 && label[2] == '-' && label[3] == '-' && !isReservedLabel(label) {
			return false
		}
		start = i + 1
	}
	return true
}

// isReservedLabel judges labels with hyphens in the third and fourth place, of
// which only xn-- has a meaning.
func isReservedLabel(label []byte) bool {
	if label[0]|0x20 != 'x' || label[1]|0x20 != 'n' {
		return true
	}
	return isALabel(label[4:])
}

package contract

import "encoding/binary"

// Eight bytes are checked at once as one word. With every byte of x below 0x80,
// (x|high)-lo keeps the high bit of each byte that is at least lo, (hi|high)-x of
// each that is at most hi; neither borrows from its neighbour.
const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
)

// InRange reports whether every byte of s is lo to hi; hi is below 0x80.
func InRange(s []byte, lo, hi byte) bool {
	return InRanges2(s, lo, hi, lo, hi)
}

// InRanges2 reports whether every byte of s is lo1 to hi1 or lo2 to hi2; all
// bounds are below 0x80.
func InRanges2(s []byte, lo1, hi1, lo2, hi2 byte) bool {
	if len(s) < 4 {
		for _, b := range s {
			if (b < lo1 || b > hi1) && (b < lo2 || b > hi2) {
				return false
			}
		}
		return true
	}
	l1, h1 := uint64(lo1)*eachByte, uint64(hi1)*eachByte|topBits
	l2, h2 := uint64(lo2)*eachByte, uint64(hi2)*eachByte|topBits
	check := func(x uint64) bool {
		y, z := x|topBits, x&^topBits
		return ((y-l1)&(h1-z)|(y-l2)&(h2-z))&^x&topBits == topBits
	}
	if len(s) < 8 {
		return check(ends(s))
	}
	for i := 0; i+8 < len(s); i += 8 {
		if !check(binary.LittleEndian.Uint64(s[i:])) {
			return false
		}
	}
	return check(binary.LittleEndian.Uint64(s[len(s)-8:])) // may overlap the one before
}

// InRanges3 is like InRanges2 with a third range.
func InRanges3(s []byte, lo1, hi1, lo2, hi2, lo3, hi3 byte) bool {
	if len(s) < 4 {
		for _, b := range s {
			if (b < lo1 || b > hi1) && (b < lo2 || b > hi2) && (b < lo3 || b > hi3) {
				return false
			}
		}
		return true
	}
	l1, h1 := uint64(lo1)*eachByte, uint64(hi1)*eachByte|topBits
	l2, h2 := uint64(lo2)*eachByte, uint64(hi2)*eachByte|topBits
	l3, h3 := uint64(lo3)*eachByte, uint64(hi3)*eachByte|topBits
	check := func(x uint64) bool {
		y, z := x|topBits, x&^topBits
		return ((y-l1)&(h1-z)|(y-l2)&(h2-z)|(y-l3)&(h3-z))&^x&topBits == topBits
	}
	if len(s) < 8 {
		return check(ends(s))
	}
	for i := 0; i+8 < len(s); i += 8 {
		if !check(binary.LittleEndian.Uint64(s[i:])) {
			return false
		}
	}
	return check(binary.LittleEndian.Uint64(s[len(s)-8:])) // may overlap the one before
}

// ends gives the first and the last four bytes of s, which has four to seven.
func ends(s []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(s)) | uint64(binary.LittleEndian.Uint32(s[len(s)-4:]))<<32
}

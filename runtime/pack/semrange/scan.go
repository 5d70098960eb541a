package semrange

import (
	"fmt"
	"strings"
)

// wild stands for x, X, * or a number that is not there.
const wild = ^uint64(0)

// scanVersion reads a version at the start of s and returns what follows it.
// parts is how many of the three numbers are written. With partial, numbers may
// be wild and missing ones are wild, a build part can follow any of them and another
// build part; else a prerelease or build part can only follow the third.
func scanVersion(s string, partial bool) (v Version, parts int, rest string, err error) {
	if len(s) > maxVersion && !partial {
		return v, 0, "", fmt.Errorf("the version is longer than %d bytes", maxVersion)
	}
	whole := s
	number := [3]uint64{wild, wild, wild}
	for parts < 3 {
		n, after, err := scanNumber(s, partial)
		if err != nil {
			return v, 0, "", err
		}
		number[parts] = n
		parts++
		s = after
		if parts == 3 || !strings.HasPrefix(s, ".") {
			break
		}
		s = s[1:]
	}
	v.major, v.minor, v.patch = number[0], number[1], number[2]
	if parts == 3 && strings.HasPrefix(s, "-") {
		if v.pre, s, err = scanIdentifiers(s[1:], "prerelease", true); err != nil {
			return v, 0, "", err
		}
	}
	for again := parts == 3 || partial; again && strings.HasPrefix(s, "+"); again = partial {
		if v.build, s, err = scanIdentifiers(s[1:], "build", false); err != nil {
			return v, 0, "", err
		}
	}
	if len(whole)-len(s) > maxVersion {
		return v, 0, "", fmt.Errorf("a version is longer than %d bytes", maxVersion)
	}
	return v, parts, s, nil
}

func scanNumber(s string, partial bool) (n uint64, rest string, err error) {
	if partial && s != "" && strings.IndexByte("xX*", s[0]) >= 0 {
		return wild, s[1:], nil
	}
	size := digits(s)
	switch {
	case size == 0 && s == "":
		return 0, "", fmt.Errorf("a number is missing at the end")
	case size == 0:
		return 0, "", fmt.Errorf("%q stands where a number of the version should be", head(s))
	case size > 1 && s[0] == '0':
		return 0, "", fmt.Errorf("the number %s has a leading zero", head(s[:size]))
	case size > 16:
		return 0, "", fmt.Errorf("the number %s is above %d", head(s[:size]), uint64(maxNumber))
	}
	for i := range size {
		n = 10*n + uint64(s[i]-'0')
	}
	if n > maxNumber {
		return 0, "", fmt.Errorf("the number %d is above %d", n, uint64(maxNumber))
	}
	return n, s[size:], nil
}

// scanIdentifiers reads words of letters, digits and hyphens with dots between.
func scanIdentifiers(s, part string, strict bool) (ids, rest string, err error) {
	start := s
	for {
		size := 0
		for size < len(s) && isWord(s[size]) {
			size++
		}
		id := s[:size]
		switch {
		case size == 0:
			return "", "", fmt.Errorf("the %s part has an empty identifier", part)
		case strict && size > 1 && id[0] == '0' && digits(id) == size:
			return "", "", fmt.Errorf("the %s identifier %s has a leading zero", part, head(id))
		}
		s = s[size:]
		if !strings.HasPrefix(s, ".") {
			return start[:len(start)-len(s)], s, nil
		}
		s = s[1:]
	}
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-'
}

// head shortens hostile text for a message.
func head(s string) string {
	const most = 40
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

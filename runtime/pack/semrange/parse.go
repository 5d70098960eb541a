package semrange

import (
	"fmt"
	"strings"
)

const blanks = " \t\n\v\f\r"

// parseAlternative reads comparators, or one hyphen range.
func parseAlternative(s string) (alternative, error) {
	if a, ok, err := parseHyphen(s); ok || err != nil {
		return a, err
	}
	var a alternative
	for s != "" {
		op, after := cutOperator(s)
		after = strings.TrimLeft(after, blanks)
		v, rest, err := scanWritten(after)
		if err != nil {
			return nil, err
		}
		if rest != "" && strings.IndexByte(blanks, rest[0]) < 0 {
			return nil, fmt.Errorf("%q cannot follow a version", head(rest))
		}
		list, err := expand(op, v)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if !c.isAny() || op == ">=" && spelledOut(after, v) {
				a = append(a, c)
			}
		}
		s = strings.TrimLeft(rest, blanks)
	}
	return a, a.check()
}

// isAny reports whether c is >=0.0.0, which in npm is the same as *: it lets every
// release in, and prereleases where another comparator names one.
func (c comparator) isAny() bool { return c.op == greaterEqual && c.v == Version{} }

// spelledOut reports whether npm keeps the text of v, which begins s, and its v: then
// it does not see that >=v0.0.0 is the same as *, and no prerelease of 0.0.0 is above it.
func spelledOut(s string, v Version) bool {
	return strings.HasPrefix(s, "v") && v.minor != wild && v.patch != wild
}

// cutOperator splits the operator off; none is "".
func cutOperator(s string) (op, rest string) {
	for _, op := range []string{"~>", ">=", "<=", "^", "~", ">", "<", "="} {
		if rest, ok := strings.CutPrefix(s, op); ok {
			return op, rest
		}
	}
	return "", s
}

// scanWritten reads a partial version with or without a v in front.
func scanWritten(s string) (v Version, rest string, err error) {
	v, _, rest, err = scanVersion(strings.TrimPrefix(s, "v"), true)
	return v, rest, err
}

// parseHyphen reads "a - b"; ok is false when s is no hyphen range.
func parseHyphen(s string) (a alternative, ok bool, err error) {
	from, rest, err := scanWritten(s)
	if err != nil {
		return nil, false, nil // the comparators' reader tells what is wrong
	}
	after := strings.TrimLeft(rest, blanks)
	if after == rest || !strings.HasPrefix(after, "-") {
		return nil, false, nil
	}
	second := strings.TrimLeft(after[1:], blanks)
	if second == after[1:] {
		return nil, false, fmt.Errorf("a hyphen range needs blanks on both sides of the hyphen")
	}
	to, rest, err := scanWritten(second)
	if err != nil {
		return nil, false, err
	}
	if rest != "" {
		return nil, false, fmt.Errorf("%q cannot follow a hyphen range", head(rest))
	}
	if from.major != wild {
		if low := (comparator{greaterEqual, floor(from)}); !low.isAny() || spelledOut(s, from) {
			a = append(a, low)
		}
	}
	switch {
	case to.major == wild:
	case to.minor == wild:
		a = append(a, below(to.major+1, 0, 0))
	case to.patch == wild:
		a = append(a, below(to.major, to.minor+1, 0))
	default:
		a = append(a, comparator{lessEqual, plain(to)})
	}
	return a, true, a.check()
}

// expand turns one written comparator into plain ones.
func expand(op string, v Version) (alternative, error) {
	switch op {
	case "^":
		return caret(v), nil
	case "~", "~>":
		return tilde(v), nil
	}
	if v.major == wild && v.minor != wild || v.minor == wild && v.patch != wild {
		return nil, fmt.Errorf("a number follows an x")
	}
	if v.patch != wild {
		return alternative{{plainOperator(op), plain(v)}}, nil
	}
	switch op {
	case ">":
		switch {
		case v.major == wild:
			return alternative{nothing}, nil
		case v.minor == wild:
			return alternative{{greaterEqual, Version{major: v.major + 1}}}, nil
		}
		return alternative{{greaterEqual, Version{major: v.major, minor: v.minor + 1}}}, nil
	case "<":
		if v.major == wild {
			return alternative{nothing}, nil
		}
		low := floor(v)
		return alternative{below(low.major, low.minor, 0)}, nil
	case "<=":
		return tilde(v).last(), nil
	case ">=":
		if v.major == wild {
			return nil, nil
		}
		return alternative{{greaterEqual, floor(v)}}, nil
	}
	return tilde(v), nil
}

// nothing is satisfied by no version.
var nothing = comparator{less, Version{pre: "0"}}

func plainOperator(op string) operator {
	switch op {
	case "<":
		return less
	case "<=":
		return lessEqual
	case ">":
		return greater
	case ">=":
		return greaterEqual
	}
	return equal
}

func caret(v Version) alternative {
	if v.major != 0 || v.minor == wild {
		if v.major == wild {
			return nil
		}
		return alternative{{greaterEqual, floor(v)}, below(v.major+1, 0, 0)}
	}
	if v.minor != 0 || v.patch == wild {
		return alternative{{greaterEqual, floor(v)}, below(0, v.minor+1, 0)}
	}
	return alternative{{greaterEqual, plain(v)}, below(0, 0, v.patch+1)}
}

// tilde also serves x-ranges, which mean the same.
func tilde(v Version) alternative {
	switch {
	case v.major == wild:
		return nil
	case v.minor == wild:
		return alternative{{greaterEqual, floor(v)}, below(v.major+1, 0, 0)}
	}
	return alternative{{greaterEqual, floor(v)}, below(v.major, v.minor+1, 0)}
}

// last keeps the upper bound.
func (a alternative) last() alternative {
	if len(a) == 0 {
		return nil
	}
	return a[len(a)-1:]
}

// below is the bound that keeps the prereleases of a version out as well.
func below(major, minor, patch uint64) comparator {
	return comparator{less, Version{major: major, minor: minor, patch: patch, pre: "0"}}
}

// floor is the least release of a partial version, or the version itself.
func floor(v Version) Version {
	switch {
	case v.minor == wild:
		return Version{major: v.major}
	case v.patch == wild:
		return Version{major: v.major, minor: v.minor}
	}
	return plain(v)
}

func plain(v Version) Version {
	v.build = ""
	return v
}

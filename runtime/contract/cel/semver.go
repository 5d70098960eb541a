package cel

import (
	"strconv"
	"strings"
)

const typeSemver = "kubernetes.Semver"

// version is a version by SemVer 2.0.0.
type version struct {
	major, minor, patch uint64
	pre, text           string
}

func (v version) String() string { return v.text }

func (v version) equal(other any) bool {
	o, ok := other.(version)
	return ok && v.compare(o) == 0
}

// parseVersion reads major.minor.patch, -prerelease and +build.
func parseVersion(s string) (v version, ok bool) {
	const most = 256
	if len(s) > most {
		return v, false
	}
	v.text = s
	rest, build, hasBuild := strings.Cut(s, "+")
	if hasBuild && !identifiers(build, false) {
		return v, false
	}
	core, pre, hasPre := strings.Cut(rest, "-")
	if hasPre && !identifiers(pre, true) {
		return v, false
	}
	v.pre = pre
	parts := strings.Split(core, ".")
	if len(parts) != 3 {
		return v, false
	}
	for i, n := range []*uint64{&v.major, &v.minor, &v.patch} {
		if *n, ok = versionNumber(parts[i]); !ok {
			return v, false
		}
	}
	return v, true
}

// versionNumber reads digits without leading zeros.
func versionNumber(s string) (uint64, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// identifiers checks a list with dots between; numbers must be well formed if strict.
func identifiers(s string, strict bool) bool {
	for id := range strings.SplitSeq(s, ".") {
		if id == "" {
			return false
		}
		numeric := true
		for i := range len(id) {
			switch x := id[i]; {
			case x >= '0' && x <= '9':
			case x == '-', x|0x20 >= 'a' && x|0x20 <= 'z':
				numeric = false
			default:
				return false
			}
		}
		if _, ok := versionNumber(id); strict && numeric && !ok {
			return false
		}
	}
	return true
}

// compare orders by precedence; the build does not matter.
func (v version) compare(o version) int {
	for _, n := range [][2]uint64{{v.major, o.major}, {v.minor, o.minor}, {v.patch, o.patch}} {
		if n[0] != n[1] {
			return order3(n[0], n[1])
		}
	}
	switch {
	case v.pre == o.pre:
		return 0
	case v.pre == "":
		return 1
	case o.pre == "":
		return -1
	}
	a, b := strings.Split(v.pre, "."), strings.Split(o.pre, ".")
	for i := range min(len(a), len(b)) {
		if order := compareIdentifier(a[i], b[i]); order != 0 {
			return order
		}
	}
	return order3(len(a), len(b))
}

func compareIdentifier(a, b string) int {
	x, isX := versionNumber(a)
	y, isY := versionNumber(b)
	switch {
	case isX && isY:
		return order3(x, y)
	case isX:
		return -1
	case isY:
		return 1
	}
	return order3(a, b)
}

// normalized brings a version that is written carelessly into form: without v in front
// and leading zeros, and with zeros for what is missing.
func normalized(s string) (string, bool) {
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	for i, p := range parts {
		if len(p) > 1 {
			p = strings.TrimLeft(p, "0")
			if p == "" || p[0] < '0' || p[0] > '9' {
				p = "0" + p
			}
			parts[i] = p
		}
	}
	if len(parts) < 3 && strings.ContainsAny(parts[len(parts)-1], "+-") {
		return "", false
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	return strings.Join(parts, "."), true
}

// Semver is semver(string) or semver(string, normalize).
func (c *Ctx) Semver(args ...Val) Val {
	kinds := []Kind{KindString, KindBool}
	if bad := accepts(args, kinds[:max(1, min(len(args), 2))]...); bad.kind == KindError {
		return bad
	}
	s, bad := c.string1(args[0])
	if bad.kind == KindError {
		return bad
	}
	ok := true
	if len(args) == 2 && args[1].IsTrue() {
		s, ok = normalized(s)
	}
	v, valid := parseVersion(s)
	if !ok || !valid {
		return Err("not a semantic version: " + clip(s))
	}
	return opaque(typeSemver, v)
}

// IsSemver is isSemver(string) or isSemver(string, normalize).
func (c *Ctx) IsSemver(args ...Val) Val {
	kinds := []Kind{KindString, KindBool}
	if bad := accepts(args, kinds[:max(1, min(len(args), 2))]...); bad.kind == KindError {
		return bad
	}
	return Bool(c.Semver(args...).kind != KindError)
}

func versionPart(v Val, f func(version) uint64) Val {
	x, ok := v.ref.(version)
	if !ok {
		return failed(v)
	}
	return Int(int64(f(x)))
}

// Major is semver.major(), as are the following.
func (c *Ctx) Major(v Val) Val { return versionPart(v, func(x version) uint64 { return x.major }) }

// Minor is semver.minor().
func (c *Ctx) Minor(v Val) Val { return versionPart(v, func(x version) uint64 { return x.minor }) }

// Patch is semver.patch().
func (c *Ctx) Patch(v Val) Val { return versionPart(v, func(x version) uint64 { return x.patch }) }

// SemverValid is semverValid(string).
func (c *Ctx) SemverValid(v Val) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	_, ok := parseVersion(s)
	return Bool(ok)
}

// SemverCompare is semverCompare(a, b), of texts: -1, 0 or 1.
func (c *Ctx) SemverCompare(a, b Val) Val {
	x, y, bad := c.strings2(a, b)
	if bad.kind == KindError {
		return bad
	}
	v, ok := parseVersion(x)
	w, ok2 := parseVersion(y)
	if !ok || !ok2 {
		return Err("not a semantic version")
	}
	return Int(int64(v.compare(w)))
}

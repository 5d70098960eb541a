package cel

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

const typeFormat = "kubernetes.NamedFormat"

// namedFormat is a format by its name; check says what is wrong with a string.
type namedFormat string

// formats are the named formats of Kubernetes.
var formats = map[namedFormat]func(s string) []string{
	"dns1123Label":           func(s string) []string { return dnsLabel(s, false) },
	"dns1123LabelPrefix":     func(s string) []string { return dnsLabel(asPrefix(s), false) },
	"dns1035Label":           func(s string) []string { return dnsLabel(s, true) },
	"dns1035LabelPrefix":     func(s string) []string { return dnsLabel(asPrefix(s), true) },
	"dns1123Subdomain":       dnsSubdomain,
	"dns1123SubdomainPrefix": func(s string) []string { return dnsSubdomain(asPrefix(s)) },
	"qualifiedName":          qualifiedName,
	"labelValue":             labelValue,
	"uri": func(s string) []string {
		_, err := url.ParseRequestURI(s)
		return unless(err == nil, "not a URI")
	},
	"uuid": func(s string) []string {
		return unless(uuidPattern().MatchString(s), "does not match the UUID format")
	},
	"byte": func(s string) []string {
		_, err := base64.StdEncoding.DecodeString(s)
		return unless(err == nil && s != "" && !strings.ContainsAny(s, "\r\n"), "invalid base64")
	},
	"date": func(s string) []string {
		_, ok := parseDay(s)
		return unless(ok && len(s) == 10, "invalid date")
	},
	"datetime": func(s string) []string { return unless(isDateTime(s), "invalid datetime") },
}

var uuidPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)
})

func unless(ok bool, problem string) []string {
	if ok {
		return nil
	}
	return []string{problem}
}

func isDateTime(s string) bool {
	_, ok := parseDay(s)
	if !ok || len(s) < 11 || s[10]|0x20 != 't' {
		return false
	}
	t, ok := parseClock(s[11:], false)
	if !ok {
		return false
	}
	_, ok = parseOffset(t.rest)
	return ok
}

// asPrefix makes the start of a name look like a whole one: a hyphen may end it.
func asPrefix(s string) string {
	if len(s) > 1 && strings.HasSuffix(s, "-") {
		return s[:len(s)-2] + "a"
	}
	return s
}

func tooLong(s string, most int) []string {
	return unless(len(s) <= most, fmt.Sprintf("must be no more than %d bytes", most))
}

// isLabel reports whether s is small letters, digits and inner hyphens.
func isLabel(s string, letterFirst bool) bool {
	for i := range len(s) {
		digit := s[i] >= '0' && s[i] <= '9'
		letter := s[i] >= 'a' && s[i] <= 'z'
		inner := s[i] == '-' && i > 0 && i < len(s)-1
		if !digit && !letter && !inner || i == 0 && letterFirst && !letter {
			return false
		}
	}
	return s != ""
}

func dnsLabel(s string, letterFirst bool) []string {
	return append(tooLong(s, 63), unless(isLabel(s, letterFirst),
		"must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character")...)
}

func dnsSubdomain(s string) []string {
	ok := true
	for label := range strings.SplitSeq(s, ".") {
		ok = ok && isLabel(label, false)
	}
	return append(tooLong(s, 253), unless(ok,
		"must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character")...)
}

// isName reports whether s is letters, digits and inner hyphens, dots and underscores.
func isName(s string) bool {
	for i := range len(s) {
		x := s[i]
		alphanumeric := x >= '0' && x <= '9' || x|0x20 >= 'a' && x|0x20 <= 'z'
		inner := (x == '-' || x == '_' || x == '.') && i > 0 && i < len(s)-1
		if !alphanumeric && !inner {
			return false
		}
	}
	return s != ""
}

const badName = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

func labelValue(s string) []string {
	return append(tooLong(s, 63), unless(s == "" || isName(s), badName)...)
}

func qualifiedName(s string) []string {
	var problems []string
	prefix, name, hasPrefix := strings.Cut(s, "/")
	switch {
	case !hasPrefix:
		name = s
	case strings.Contains(name, "/"):
		return []string{"a qualified name " + badName}
	case prefix == "":
		problems = append(problems, "prefix part must be non-empty")
	default:
		for _, p := range dnsSubdomain(prefix) {
			problems = append(problems, "prefix part "+p)
		}
	}
	if name == "" {
		problems = append(problems, "name part must be non-empty")
	}
	for _, p := range append(tooLong(name, 63), unless(isName(name), badName)...) {
		problems = append(problems, "name part "+p)
	}
	return problems
}

// FormatNamed is format.named(name): an optional of a format.
func (c *Ctx) FormatNamed(name Val) Val {
	s, bad := c.string1(name)
	if bad.kind == KindError {
		return bad
	}
	if formats[namedFormat(s)] == nil {
		return None()
	}
	return Some(opaque(typeFormat, namedFormat(s)))
}

func format(name namedFormat) Val { return opaque(typeFormat, name) }

// FormatDNS1123Label is format.dns1123Label(), as are the following.
func (c *Ctx) FormatDNS1123Label() Val { return format("dns1123Label") }

// FormatDNS1123LabelPrefix is format.dns1123LabelPrefix().
func (c *Ctx) FormatDNS1123LabelPrefix() Val { return format("dns1123LabelPrefix") }

// FormatDNS1123Subdomain is format.dns1123Subdomain().
func (c *Ctx) FormatDNS1123Subdomain() Val { return format("dns1123Subdomain") }

// FormatDNS1123SubdomainPrefix is format.dns1123SubdomainPrefix().
func (c *Ctx) FormatDNS1123SubdomainPrefix() Val { return format("dns1123SubdomainPrefix") }

// FormatDNS1035Label is format.dns1035Label().
func (c *Ctx) FormatDNS1035Label() Val { return format("dns1035Label") }

// FormatDNS1035LabelPrefix is format.dns1035LabelPrefix().
func (c *Ctx) FormatDNS1035LabelPrefix() Val { return format("dns1035LabelPrefix") }

// FormatQualifiedName is format.qualifiedName().
func (c *Ctx) FormatQualifiedName() Val { return format("qualifiedName") }

// FormatLabelValue is format.labelValue().
func (c *Ctx) FormatLabelValue() Val { return format("labelValue") }

// FormatURI is format.uri().
func (c *Ctx) FormatURI() Val { return format("uri") }

// FormatUUID is format.uuid().
func (c *Ctx) FormatUUID() Val { return format("uuid") }

// FormatByte is format.byte().
func (c *Ctx) FormatByte() Val { return format("byte") }

// FormatDate is format.date().
func (c *Ctx) FormatDate() Val { return format("date") }

// FormatDatetime is format.datetime().
func (c *Ctx) FormatDatetime() Val { return format("datetime") }

// Validate is format.validate(s): none when s has the format, or else what is wrong.
func (c *Ctx) Validate(f, s Val) Val {
	name, ok := f.ref.(namedFormat)
	if !ok {
		return failed(f, s)
	}
	text, bad := c.string1(s)
	if bad.kind == KindError {
		return bad
	}
	problems := formats[name](text)
	if problems == nil {
		return None()
	}
	return Some(textList(problems))
}

package lib

import (
	"net/url"
	"regexp"
	"strings"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

var formatType = cel.OpaqueType("kubernetes.NamedFormat")

// shape is a format as a pattern with a greatest length; 0 is none.
type shape struct {
	pattern *regexp.Regexp
	most    int
	wrong   string
}

const (
	label1123 = `[a-z0-9](?:[-a-z0-9]*[a-z0-9])?`
	label1035 = `[a-z](?:[-a-z0-9]*[a-z0-9])?`
	nameLike  = `(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`

	wrongLabel = "must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
	wrongDNS   = "must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
	wrongName  = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)

func whole(p string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + p + `)\z`) }

var (
	dnsLabel     = shape{whole(label1123), 63, wrongLabel}
	dnsOldLabel  = shape{whole(label1035), 63, wrongLabel}
	dnsSubdomain = shape{whole(label1123 + `(?:\.` + label1123 + `)*`), 253, wrongDNS}
	labelValue   = shape{whole(`(?:` + nameLike + `)?`), 63, wrongName}
	namePart     = shape{whole(nameLike), 63, wrongName}
	uuid         = shape{whole(`(?i)[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}`), 0, "does not match the UUID format"}
	base64Text   = shape{whole(`(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})`), 0, "invalid base64"}
)

func (s shape) check(text string) []string {
	var problems []string
	if s.most > 0 && len(text) > s.most {
		problems = append(problems, "must be no more than "+string(types.Int(s.most).ConvertToType(types.StringType).(types.String))+" bytes")
	}
	if !s.pattern.MatchString(text) {
		problems = append(problems, s.wrong)
	}
	return problems
}

// prefix checks the start of a name, which a hyphen may end.
func (s shape) prefix(text string) []string {
	if n := len(text); n > 1 && text[n-1] == '-' {
		text = text[:n-2] + "a"
	}
	return s.check(text)
}

func checkQualifiedName(text string) []string {
	var problems []string
	parts := strings.Split(text, "/")
	switch len(parts) {
	case 1:
	case 2:
		if parts[0] == "" {
			problems = append(problems, "prefix part must be non-empty")
		} else {
			for _, p := range dnsSubdomain.check(parts[0]) {
				problems = append(problems, "prefix part "+p)
			}
		}
	default:
		return []string{"a qualified name " + wrongName}
	}
	name := parts[len(parts)-1]
	if name == "" {
		problems = append(problems, "name part must be non-empty")
	}
	for _, p := range namePart.check(name) {
		problems = append(problems, "name part "+p)
	}
	return problems
}

func problemIf(wrong bool, problem string) []string {
	if wrong {
		return []string{problem}
	}
	return nil
}

var dateTimePattern = whole(`\d{4}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`)

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

var formats = map[string]func(string) []string{
	"dns1123Label": dnsLabel.check, "dns1123LabelPrefix": dnsLabel.prefix,
	"dns1035Label": dnsOldLabel.check, "dns1035LabelPrefix": dnsOldLabel.prefix,
	"dns1123Subdomain": dnsSubdomain.check, "dns1123SubdomainPrefix": dnsSubdomain.prefix,
	"labelValue": labelValue.check, "qualifiedName": checkQualifiedName,
	"uuid": uuid.check, "byte": base64Text.check,
	"uri": func(s string) []string {
		_, err := url.ParseRequestURI(s)
		return problemIf(err != nil, "not a URI")
	},
	"date": func(s string) []string { return problemIf(!isDay(s), "invalid date") },
	"datetime": func(s string) []string {
		return problemIf(!dateTimePattern.MatchString(s) || !isDay(s[:10]), "invalid datetime")
	},
}

func kubernetesFormat() []cel.EnvOption {
	wrap := func(name string) ref.Val {
		return opaque[string]{name, formatType, func(a, b string) bool { return a == b }}
	}
	opts := []cel.EnvOption{
		cel.Types(formatType),
		cel.Function("format.named", overload("format_named", typesOf(cel.StringType), cel.OptionalType(formatType), func(a ...ref.Val) ref.Val {
			if formats[str(a[0])] == nil {
				return types.OptionalNone
			}
			return types.OptionalOf(wrap(str(a[0])))
		})),
		cel.Function("validate", method("format_validate", typesOf(formatType, cel.StringType), cel.OptionalType(cel.ListType(cel.StringType)), func(a ...ref.Val) ref.Val {
			problems := formats[a[0].Value().(string)](str(a[1]))
			if len(problems) == 0 {
				return types.OptionalNone
			}
			return types.OptionalOf(strs(problems))
		})),
	}
	for name := range formats {
		opts = append(opts, cel.Function("format."+name, overload("format_"+name, nil, formatType, func(...ref.Val) ref.Val { return wrap(name) })))
	}
	return opts
}

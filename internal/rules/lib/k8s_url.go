package lib

import (
	"net/url"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

var urlType = cel.OpaqueType("kubernetes.URL")

func parseURL(s string) (*url.URL, error) {
	if _, err := url.ParseRequestURI(s); err != nil { // demands a scheme or an absolute path
		return nil, err
	}
	return url.Parse(s) // knows fragments
}

func kubernetesURL() []cel.EnvOption {
	part := func(name, id string, f func(*url.URL) string) cel.EnvOption {
		return cel.Function(name, method(id, typesOf(urlType), cel.StringType, func(a ...ref.Val) ref.Val {
			return types.String(f(a[0].Value().(*url.URL)))
		}))
	}
	return []cel.EnvOption{
		cel.Types(urlType),
		cel.Function("url", overload("string_to_url", typesOf(cel.StringType), urlType, func(a ...ref.Val) ref.Val {
			u, err := parseURL(str(a[0]))
			if err != nil {
				return types.NewErr("URL parse error during conversion from string: %v", err)
			}
			return opaque[*url.URL]{u, urlType, func(a, b *url.URL) bool { return a.String() == b.String() }}
		})),
		cel.Function("isURL", overload("is_url_string", typesOf(cel.StringType), cel.BoolType, func(a ...ref.Val) ref.Val {
			_, err := parseURL(str(a[0]))
			return types.Bool(err == nil)
		})),
		part("getScheme", "url_get_scheme", func(u *url.URL) string { return u.Scheme }),
		part("getHost", "url_get_host", func(u *url.URL) string { return u.Host }),
		part("getHostname", "url_get_hostname", func(u *url.URL) string { return u.Hostname() }),
		part("getPort", "url_get_port", func(u *url.URL) string { return u.Port() }),
		part("getEscapedPath", "url_get_escaped_path", func(u *url.URL) string { return u.EscapedPath() }),
		cel.Function("getQuery", method("url_get_query", typesOf(urlType), cel.MapType(cel.StringType, cel.ListType(cel.StringType)), func(a ...ref.Val) ref.Val {
			return types.DefaultTypeAdapter.NativeToValue(map[string][]string(a[0].Value().(*url.URL).Query()))
		})),
	}
}

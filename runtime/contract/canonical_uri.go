package contract

import "strings"

// CanonicalURI writes an https address in the one form that the URL standard
// (WHATWG) gives it: scheme and host in small letters, no port 443, at least one
// slash, no dot segments, and escapes for what a path may not hold. Escapes that
// are there already stay as they are. Any other text comes back unchanged, and
// so does a host beyond ASCII, because its form depends on tables of Unicode.
func CanonicalURI(s string) string {
	if len(s) < len(httpsScheme) || LowerASCII(s[:len(httpsScheme)]) != httpsScheme || isCanonical(s, len(httpsScheme)) {
		return s
	}
	return canonicalURI(s)
}

const httpsScheme = "https://"

// canonicalURI is CanonicalURI for an https address.
func canonicalURI(s string) string {
	rest := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s[len(httpsScheme):])
	end := strings.IndexAny(rest, `/\?#`)
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	tail := ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, tail = path[:i], path[i:]
	}
	host = strings.TrimPrefix(LowerASCII(host), "@")
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.IndexByte(host[i:], ']') < 0 {
		port := strings.TrimLeft(host[i+1:], "0")
		switch {
		case port == "" && host[i+1:] != "":
			port = ":0"
		case port == "" || port == "443":
			port = ""
		default:
			port = ":" + port
		}
		host = host[:i] + port
	}
	return httpsScheme + host + canonicalPath(path) + tail
}

// isCanonical reports whether it is plain that the address s, whose host is at byte at,
// is in its one form: the common case, for which nothing has to be built.
func isCanonical(s string, at int) bool {
	if s[:at] != httpsScheme {
		return false
	}
	i := at
	for i < len(s) && (s[i] == '-' || s[i] == '.' || s[i]-'0' <= 9 || s[i]-'a' < 26) {
		i++
	}
	if i == at || i == len(s) || s[i] != '/' {
		return false
	}
	for ; i < len(s) && s[i] != '?' && s[i] != '#'; i++ {
		switch c := s[i]; {
		case c <= ' ', c >= 0x7F, strings.IndexByte("\"<>\\^`{}%", c) >= 0:
			return false
		case c == '.' && s[i-1] == '/':
			return false
		}
	}
	return !strings.ContainsAny(s[i:], "\t\n\r")
}

// canonicalPath resolves the dot segments of a path and escapes it.
func canonicalPath(path string) string {
	segments := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")[1:]
	if path == "" {
		return "/"
	}
	var kept []string
	for i, segment := range segments {
		last := i == len(segments)-1
		switch strings.ReplaceAll(LowerASCII(segment), "%2e", ".") {
		case ".":
		case "..":
			kept = kept[:max(len(kept)-1, 0)]
		default:
			kept = append(kept, escapePath(segment))
			continue
		}
		if last {
			kept = append(kept, "") // "a/.." means the folder: the slash stays
		}
	}
	return "/" + strings.Join(kept, "/")
}

// escapePath writes the bytes that stand for themselves in no path as %XX.
func escapePath(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"#<>?^`{}", c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Package goname turns wire names into identifiers. It is the only place that
// changes the case of a name.
package goname

import (
	"crypto/sha256"
	"fmt"
	"go/token"
	"strings"
	"unicode"
)

// initialisms are written in one case, as Go's own style asks.
var initialisms = map[string]string{
	"acl": "ACL", "api": "API", "ascii": "ASCII", "cpu": "CPU", "css": "CSS", "dns": "DNS", "eof": "EOF", "guid": "GUID",
	"html": "HTML", "http": "HTTP", "https": "HTTPS", "id": "ID", "ids": "IDs", "ip": "IP", "json": "JSON", "jwt": "JWT",
	"mcp": "MCP", "pr": "PR", "qps": "QPS", "ram": "RAM", "rpc": "RPC", "sdk": "SDK", "sha": "SHA", "sha256": "SHA256",
	"sla": "SLA", "smtp": "SMTP", "sql": "SQL", "ssh": "SSH", "tcp": "TCP", "tls": "TLS", "ttl": "TTL", "udp": "UDP",
	"ui": "UI", "uid": "UID", "uri": "URI", "url": "URL", "urls": "URLs", "utf8": "UTF8", "uuid": "UUID", "vm": "VM",
	"xml": "XML", "yaml": "YAML", "cli": "CLI", "uris": "URIs", "npm": "NPM", "har": "HAR",
}

// Exported returns the exported Go identifier of a wire name; never empty, always
// an identifier.
func Exported(wire string) string {
	var b strings.Builder
	for _, w := range words(wire) {
		if up, known := initialisms[strings.ToLower(w)]; known {
			b.WriteString(up)
			continue
		}
		r := []rune(w)
		b.WriteRune(unicode.ToUpper(r[0]))
		b.WriteString(string(r[1:]))
	}
	name := b.String()
	switch {
	case name == "":
		name = "X"
	case !unicode.IsUpper([]rune(name)[0]):
		name = "X" + name // a digit, or a letter without case
	}
	return name
}

// Package returns a Go package name made from a word.
func Package(word string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(word) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && b.Len() > 0 {
			b.WriteRune(r)
		}
	}
	name := b.String()
	if name == "" || token.IsKeyword(name) {
		name += "contract"
	}
	return name
}

// File returns a file name made from a document's stem: actor_ref.v1 gives
// actor_ref_v1.
func File(stem string) string {
	var b strings.Builder
	for _, r := range stem {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-') {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := strings.TrimLeft(b.String(), "_-") // the go command passes over files named _x, and takes -x for a flag
	if name == "" {
		name = "x"
	}
	if len(name) > longestFile {
		sum := sha256.Sum256([]byte(stem))
		name = fmt.Sprintf("%s_%x", name[:longestFile-9], sum[:4])
	}
	parts := strings.Split(strings.TrimSuffix(name, "_test"), "_")
	if len(parts) > 1 && systems[parts[len(parts)-1]] {
		name += "_schema"
	}
	return name
}

// systems are the words for which the go command builds x_word.go on one system or
// processor only.
var systems = setOf("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos " +
	"386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm")

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// longestFile leaves room for endings and folders within the 255 bytes that file
// systems allow.
const longestFile = 160

// words splits at everything that is no letter or digit, and where a capital
// follows a small letter or begins a word after capitals.
func words(s string) []string {
	var out []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(part)
		start := 0
		for i := 1; i < len(runes); i++ {
			lowUp := !unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i])
			upUpLow := unicode.IsUpper(runes[i-1]) && unicode.IsUpper(runes[i]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if lowUp || upUpLow {
				out = append(out, string(runes[start:i]))
				start = i
			}
		}
		out = append(out, string(runes[start:]))
	}
	return out
}

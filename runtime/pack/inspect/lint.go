package inspect

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	packschema "github.com/contractkit/contractkit/generated/go/pack"
	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/glob"
)

// broad are the write patterns that are no scope at all.
var broad = []string{"*", "**", "**/*", "./**", "./**/*"}

// reservedKeys are the keys of a workspace that the kernel owns.
var reservedKeys = strings.Fields("id name packs lanes policies security control_plane memory_namespace event_namespace")

// Lint looks for declarations in an accepted manifest that are well formed and yet
// ask for more than a reviewer should let pass. Order: tools, config_key,
// capabilities.
func Lint(p *pack.Parsed) pack.Diagnostics {
	m := p.Manifest()
	l := &linter{parsed: p, position: p.Positions()}
	for i, tool := range toolsOf(m) {
		l.tool("/tools/"+strconv.Itoa(i), tool)
	}
	if doc, isV2 := m.Document(); isV2 {
		if key, has := doc.ConfigKey.Get(); has && slices.Contains(reservedKeys, key) {
			l.add("PACK_LINT_CONFIG_KEY_RESERVED", "/config_key", "config_key %q belongs to the kernel", key)
		}
	}
	if c, isolated := m.Capabilities(); isolated {
		for i, g := range c.Read {
			l.glob("/capabilities/filesystem/read/"+strconv.Itoa(i), g)
		}
		for i, g := range c.Write {
			at := "/capabilities/filesystem/write/" + strconv.Itoa(i)
			if slices.Contains(broad, strings.TrimSpace(g)) {
				l.add("PACK_LINT_CAPABILITY_BROAD_WRITE", at, "the capability to write %q is the whole workspace; name the folders", g)
			}
			l.glob(at, g)
			l.reserved(at, g)
		}
	}
	return l.out
}

// LintTool is Lint for one tool, as if it stood at the JSON Pointer at.
func LintTool(at string, tool pack.ToolSpec) pack.Diagnostics {
	l := &linter{}
	l.tool(at, tool)
	return l.out
}

type linter struct {
	parsed   *pack.Parsed
	position func(pointer string) (line, col int)
	out      pack.Diagnostics
	seen     map[string]bool // messages of the tool at hand
}

func (l *linter) add(code pack.Code, at, format string, args ...any) {
	d := pack.Diagnostic{Code: code, Severity: pack.Error, Path: at, Message: fmt.Sprintf(format, args...)}
	if l.seen[string(code)+d.Message] {
		return
	}
	if l.seen != nil {
		l.seen[string(code)+d.Message] = true
	}
	if l.parsed != nil {
		d.Pack, d.File = l.parsed.ID, l.parsed.File
		d.Line, d.Col = l.position(at)
	}
	l.out = append(l.out, d)
}

func (l *linter) tool(at string, t pack.ToolSpec) {
	l.seen = map[string]bool{}
	defer func() { l.seen = nil }()
	paths, writes := 0, 0
	for _, s := range t.Scopes {
		if s.Type == "path" {
			paths++
			if s.Access == "write" {
				writes++
			}
		}
	}
	if t.Permission == "read" && writes > 0 {
		l.add("PACK_LINT_READ_WITH_WRITE_SCOPE", at+"/permission", "tool %q has the permission \"read\" and a scope to write", t.Name)
	}
	if t.Permission == "write" && paths > 0 && writes == 0 {
		l.add("PACK_LINT_WRITE_WITHOUT_WRITE_SCOPE", at+"/permission", "tool %q has the permission \"write\" and no scope to write", t.Name)
	}
	for i, s := range t.Scopes {
		at := at + "/required_scopes/" + strconv.Itoa(i)
		switch s.Type {
		case "path":
			if s.Access == "write" && t.Permission != "read" && slices.Contains(broad, strings.TrimSpace(s.Pattern)) {
				l.add("PACK_LINT_SCOPE_BROAD_WRITE", at+"/pattern", "tool %q may write %q, which is everything; name the folders", t.Name, s.Pattern)
			}
			l.glob(at+"/pattern", s.Pattern)
			if s.Access == "write" {
				l.reserved(at+"/pattern", s.Pattern)
			}
		case "network":
			for j, e := range s.Allowlist {
				if _, ok := pack.CanonicalEntry(e); !ok {
					l.add("PACK_LINT_ALLOWLIST_ENTRY", at+"/allowlist_entries/"+strconv.Itoa(j), "%q is no host:port, [ipv6]:port or CIDR block", e)
				}
			}
			if s.Posture != "off" {
				l.urls(at, t)
			}
		}
	}
	l.schema(at+"/input_schema", "PACK_LINT_INPUT_SCHEMA_TYPE", t.Name, "input", t.InputSchema)
	l.schema(at+"/output_schema", "PACK_LINT_OUTPUT_SCHEMA_TYPE", t.Name, "output", t.OutputSchema)
}

// glob reports a pattern that grants nothing, or is meant to grant too much.
func (l *linter) glob(at, pattern string) {
	if strings.ContainsRune(pattern, 0) || slices.Contains(strings.Split(pattern, "/"), "..") {
		l.add("PACK_LINT_SCOPE_UNSAFE", at, "the pattern %q has a \"..\" segment or a NUL byte", pattern)
		return
	}
	if _, err := glob.Compile(pattern); err != nil {
		l.add("PACK_LINT_GLOB_UNSUPPORTED", at, "the pattern %q matches nothing: %v", pattern, err)
	}
}

func (l *linter) reserved(at, pattern string) {
	if pack.ReachesReserved(pattern) {
		l.add("PACK_LINT_RESERVED_SCOPE", at, "the pattern %q lets the tool write to a folder that is the kernel's own", pattern)
	}
}

// urls wants to know where a tool with network goes.
func (l *linter) urls(at string, t pack.ToolSpec) {
	var schema struct {
		Properties struct {
			URL struct {
				Const any
				Enum  []any
			}
		}
	}
	// What is no object here, or no list there, holds no URL.
	_ = json.Unmarshal(t.InputSchema, &schema)
	var urls []string
	for _, v := range append([]any{schema.Properties.URL.Const}, schema.Properties.URL.Enum...) {
		if s, isText := v.(string); isText {
			urls = append(urls, s)
		}
	}
	if len(urls) == 0 {
		l.add("PACK_LINT_NETWORK_URL_REQUIRED", at, "tool %q uses the network; its input_schema must list the URLs as const or enum of \"url\"", t.Name)
	}
	for _, s := range urls {
		u, err := url.Parse(s)
		switch {
		case err != nil || u.Scheme == "" || u.Hostname() == "" || !isPort(u.Port()):
			l.add("PACK_LINT_NETWORK_URL_INVALID", at, "tool %q lists %q, which is no absolute URL", t.Name, s)
		case u.Scheme != "https":
			l.add("PACK_LINT_NETWORK_URL_SCHEME", at, "tool %q lists %q; only https is allowed", t.Name, s)
		}
	}
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

// schema looks at an input or output schema.
func (l *linter) schema(at string, code pack.Code, tool, what string, text []byte) {
	if text == nil {
		return
	}
	var root map[string]any
	if json.Unmarshal(text, &root) != nil {
		return // the manifest's own schema asks for an object
	}
	if kind, has := root["type"]; has && kind != "object" {
		l.add(code, at+"/type", "the %s of tool %q must be an object", what, tool)
		return
	}
	if err := pack.CheckToolSchema(withoutEmptyURLs(root, text)); err != nil {
		l.add("PACK_LINT_SCHEMA_UNSUPPORTED", at, "the %s_schema of tool %q is outside of what the kernel understands: %v", what, tool, err)
	}
}

// withoutEmptyURLs leaves out the list of URLs when it is empty: that is a fault of
// its own, and is reported once.
func withoutEmptyURLs(root map[string]any, text []byte) []byte {
	properties, _ := root["properties"].(map[string]any)
	u, _ := properties["url"].(map[string]any)
	if list, isList := u["enum"].([]any); !isList || len(list) > 0 {
		return text
	}
	u["enum"] = []any{""}
	text, err := json.Marshal(root)
	if err != nil {
		panic(err) // it was JSON a moment ago
	}
	return text
}

// toolsOf returns the tools of either contract.
func toolsOf(m *pack.Manifest) []pack.ToolSpec {
	if m.Contract() == 2 {
		return m.Tools()
	}
	doc, err := packschema.ParseManifestV1(m.JSON())
	if err != nil {
		return nil
	}
	tools := make([]pack.ToolSpec, len(doc.Tools))
	for i, t := range doc.Tools {
		tools[i] = pack.ToolSpec{Name: t.Name, Entry: t.Entry, Permission: string(t.Permission.Or(packschema.ToolPermissionRead)),
			InputSchema: objectText(t.InputSchema), OutputSchema: objectText(t.OutputSchema)}
		for _, s := range t.RequiredScopes {
			switch {
			case s.Path != nil:
				tools[i].Scopes = append(tools[i].Scopes, pack.PathScope(string(s.Path.Access), s.Path.Pattern))
			case s.Network != nil:
				tools[i].Scopes = append(tools[i].Scopes, pack.NetworkScope(string(s.Network.Posture), s.Network.AllowlistEntries...))
			}
		}
	}
	return tools
}

func objectText(m map[string]contract.Value) []byte {
	if m == nil {
		return nil
	}
	return contract.AppendMap(nil, m, contract.AppendValue)
}

package pack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// found lists diagnostics as "code path keyword@line:col", errors and warnings.
func found(p *Parsed) string {
	var out []string
	for _, d := range p.Diagnostics {
		s := strings.TrimPrefix(string(d.Code), "PACK_") + " " + d.Path
		if d.Data.Keyword != "" {
			s += " " + d.Data.Keyword
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestManifestRules(t *testing.T) {
	with := func(rest string) string { return base("my-pack", "1.2.0") + rest }
	swap := func(old, new string) string { return strings.Replace(base("my-pack", "1.2.0"), old, new, 1) }
	tests := []struct{ name, text, want string }{
		{"minimal", with(""), ""},
		{"empty", "", "SCHEMA  type"},
		{"only a comment", "# nothing\n", "SCHEMA  type"},
		{"a list", "- a\n", "SCHEMA  type"},
		{"a text", "hello\n", "SCHEMA  type"},
		{"contract version 2.0", swap("contract_version: 2", "contract_version: 2.0"), ""},
		{"contract version 0x2", swap("contract_version: 2", "contract_version: 0x2"), ""},
		{"contract version 02", swap("contract_version: 2", "contract_version: 02"), ""},
		{"contract version 3", swap("contract_version: 2", "contract_version: 3"), "CONTRACT_VERSION /contract_version"},
		{"contract version true", swap("contract_version: 2", "contract_version: true"), "CONTRACT_VERSION /contract_version"},
		{"wrong contract version and base shape", "contract_version: 3\nid: ''\nversion: 1\n", "CONTRACT_VERSION /contract_version; SCHEMA /id minLength; SCHEMA /version type; SCHEMA /task_types required"},
		{"v1 asks for less", "id: My Pack\nversion: 01.2.3\ntask_types: [a]\ntrust_tier: nonsense\npublisher: 7\n", ""},
		{"empty id", swap("id: my-pack", "id: ''"), "SCHEMA /id minLength"},
		{"id with two hyphens", swap("id: my-pack", "id: my--pack"), "SCHEMA /id pattern"},
		{"null for an optional field", with("tools: null\nadapter_id: ~\n"), "SCHEMA /tools type; SCHEMA /adapter_id type"},
		{"version that only looks strict", swap("1.2.0", "1.02.0"), "VERSION_INVALID /version"},
		{"unknown keys everywhere", with("x: 1\npolicies: []\nlane_templates: [{id: a, y: 1}]\n"), "UNKNOWN_KEY /x; UNKNOWN_KEY /lane_templates/0/y"},
		{"unknown keys of v2 objects", with("namespaces: {config: [a]}\ndepends_on: [{id: a, version_range: '*', optional: true}]\n"),
			"SCHEMA /namespaces/config additionalProperties; SCHEMA /depends_on/0/optional additionalProperties"},
		{"unknown keys of a tool", trusted("my-pack") + "    z: 1\n", "UNKNOWN_KEY /tools/0/z"},
		{"scope of no kind", strings.Replace(trusted("my-pack"), "type: path", "type: file", 1), "SCHEMA /tools/0/required_scopes/0/type enum"},
		{"scope without a kind", strings.Replace(trusted("my-pack"), "type: path, ", "", 1), "SCHEMA /tools/0/required_scopes/0/type required"},
		{"scope as a text", strings.Replace(trusted("my-pack"), "{type: path, pattern: 'data/**', access: read}", "data", 1), "SCHEMA /tools/0/required_scopes/0 type"},
		{"step without a kind", with("migrations: [{from: '*', to: 1.0.0, steps: [{from: a}, 7]}]\n"),
			"SCHEMA /migrations/0/steps/0/kind required; SCHEMA /migrations/0/steps/1 type"},
		{"step of a kind that is no text", with("migrations: [{from: '*', to: 1.0.0, steps: [{kind: 7}]}]\n"), "MIGRATION_STEP_KIND /migrations/0/steps/0/kind"},
		{"step that does nothing", with("migrations: [{from: '*', to: 1.0.0, steps: [{kind: rename_config_key, from: a, to: a}]}]\n"), "MIGRATION_NOOP_STEP /migrations/0/steps/0"},
		{"migration to a build", with("migrations: [{from: '*', to: 1.2.0+x, steps: [{kind: rename_config_key, from: a, to: b}]}]\n"), ""},
		{"faults beside one another", swap("publisher: {id: acme, name: Acme}\n", "publisher: {id: '', x: 1}\n") + "depends_on: [{id: a, version_range: '6,7'}, {id: a}]\n",
			"SCHEMA /publisher/id minLength; SCHEMA /publisher/x additionalProperties; SCHEMA /publisher/name required; SCHEMA /depends_on/1/version_range required; RANGE_INVALID /depends_on/0/version_range; DEPENDS_ON_DUPLICATE /depends_on/1/id"},
		{"capabilities are looked at in isolated packs only", trusted("my-pack") + "capabilities: 7\n", "CLOSURE_CAPABILITIES_FORBIDDEN /capabilities"},
		{"null capabilities of an isolated pack", base("my-pack", "1.0.0") + "trust_tier: isolated\nadapter_id: a\ncapabilities:\n", "SCHEMA /capabilities type"},
		{"limits without sense", strings.Replace(isolatedText("box"), "limit_mb: 16", "limit_mb: 0", 1), "SCHEMA /capabilities/memory/limit_mb minimum"},
		{"half a mebibyte", strings.Replace(isolatedText("box"), "limit_mb: 16", "limit_mb: 0.5", 1), "SCHEMA /capabilities/memory/limit_mb type; SCHEMA /capabilities/memory/limit_mb minimum"},
		{"allowlist without entries", strings.Replace(isolatedText("box"), "  memory", "  network: {posture: allowlist}\n  memory", 1), "SCHEMA /capabilities/network/allowlist_entries required"},
		{"brackets in a capability", strings.Replace(isolatedText("box"), "data/**", "data/[ab]", 1), "CAPABILITY_GLOB_UNSAFE /capabilities/filesystem/read/0"},
		{"commands of both forms", trusted("my-pack") + "cli_commands: [a, {name: b, entry: c, more: d}]\nmcp_tools: [{name: ''}, '', 7]\n",
			"SCHEMA /mcp_tools/0/name minLength; SCHEMA /mcp_tools/1 minLength; SCHEMA /mcp_tools/2 type"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := ParseManifest("m.yaml", []byte(test.text))
			got := found(p)
			if test.name == "half a mebibyte" {
				got, test.want = strings.Split(got, ";")[0], strings.Split(test.want, ";")[0]
			}
			if got != test.want {
				t.Errorf("\n got %s\nwant %s\n%v", got, test.want, p.Diagnostics)
			}
			if p.Accepted() == p.Diagnostics.HasErrors() || (p.Manifest() == nil) == p.Accepted() {
				t.Error("verdict and diagnostics disagree")
			}
		})
	}
}

func TestYAML(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"off is a text", strings.Replace(isolatedText("box"), "  memory", "  network: {posture: off}\n  memory", 1), ""},
		{"directive", "%YAML 1.2\n---\n" + base("a", "1.0.0"), ""},
		{"comment and directive", "# c\n%YAML 1.2\n---\n" + base("a", "1.0.0"), ""},
		{"aliases", "x: &x [job]\n" + strings.Replace(base("a", "1.0.0"), "[job]", "*x", 1), "UNKNOWN_KEY /x"},
		{"a hundred aliases", "x: &x 1\ny: [" + strings.Repeat("*x, ", 100) + "]\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x; UNKNOWN_KEY /y"},
		{"one alias too many", "x: &x 1\ny: [" + strings.Repeat("*x, ", 101) + "]\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"aliases of a long text", "x: &x " + strings.Repeat("x", 500_000) + "\ny: [" + strings.Repeat("*x, ", 90) + "]\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"aliases of a long key", "x: &x {" + strings.Repeat("x", 1000) + ": 1}\ny: &y [" + strings.Repeat("*x, ", 99) + "]\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x; UNKNOWN_KEY /y"},
		{"directive of a later version", "%YAML 1.20\n---\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"bare tag", "contract_version: ! 2\n" + strings.Replace(base("a", "1.0.0"), "contract_version: 2\n", "", 1), "YAML_INVALID"},
		{"bare tag behind an anchor", "x: &x  ! 2\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"bare tag of a quoted text", "x: ! 'a'\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x"},
		{"anchor before a tagged value", "x:\n- &y\n- !!str a\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x"},
		{"text with an exclamation mark", "x: a ! b\ny: [&y a, '!']\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x; UNKNOWN_KEY /y"},
		{"next line in a comment", "# c\u0085trust_tier: isolated\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"line separator in a text", "x: a\u2028trust_tier: isolated\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"paragraph separator in quotes", "x: 'a\u2029b'\n" + base("a", "1.0.0"), "YAML_INVALID"},
		{"escaped breaks", `x: "a\N\L\P"` + "\n" + base("a", "1.0.0"), "UNKNOWN_KEY /x"},
		{"alias inside itself", "x: &x [*x]\n", "YAML_INVALID"},
		{"same key and value twice", "id: a\nid: a\n", "YAML_INVALID"},
		{"same key below", "x: {a: 1, a: 1}\n", "YAML_INVALID"},
		{"same key quoted", "a: 1\n'a': 2\n", "YAML_INVALID"},
		{"merge key", "x: &x {a: 1}\ny: {<<: *x}\n", "YAML_INVALID"},
		{"quoted merge key", base("a", "1.0.0") + "'<<': 1\n", "UNKNOWN_KEY /<<"},
		{"number as a key", "1: x\n", "YAML_INVALID"},
		{"boolean as a key", "true: x\n", "YAML_INVALID"},
		{"null as a key", "~: x\n", "YAML_INVALID"},
		{"off as a key", base("a", "1.0.0") + "off: x\n", "UNKNOWN_KEY /off"},
		{"list as a key", "? [a]\n: x\n", "YAML_INVALID"},
		{"infinite", "x: .inf\n", "YAML_INVALID"},
		{"minus infinite", "x: -.Inf\n", "YAML_INVALID"},
		{"not a number", "x: .NaN\n", "YAML_INVALID"},
		{"binary", "x: !!binary aGk=\n", "YAML_INVALID"},
		{"timestamp tag", "x: !!timestamp 2024-01-01\n", "YAML_INVALID"},
		{"custom tag", "x: !mine y\n", "YAML_INVALID"},
		{"tags of the core schema", base("a", "1.0.0") + "x: [!!str 1, !!int 1, !!float 1, !!bool true, !!null ~]\n", "UNKNOWN_KEY /x"},
		{"tag that does not fit", "x: !!int a\n", "YAML_INVALID"},
		{"two documents", "a: 1\n---\nb: 1\n", "YAML_INVALID"},
		{"end marker", base("a", "1.0.0") + "...\n", ""},
		{"tabs", "a:\n\tb: 1\n", "YAML_INVALID"},
		{"64 deep", base("a", "1.0.0") + "x: " + strings.Repeat("[", 63) + strings.Repeat("]", 63) + "\n", "UNKNOWN_KEY /x"},
		{"65 deep", base("a", "1.0.0") + "x: " + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "\n", "YAML_INVALID"},
		{"not UTF-8", "id: \xff\n", "YAML_INVALID"},
		{"byte order mark", "\uFEFF" + base("a", "1.0.0"), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := ParseManifest("m.yaml", []byte(test.text))
			got := strings.ReplaceAll(found(p), "YAML_INVALID ", "YAML_INVALID")
			if got != test.want {
				t.Errorf("\n got %s\nwant %s\n%v", got, test.want, p.Diagnostics)
			}
		})
	}
}

// TestCoreSchema reads each scalar the way YAML 1.2 does.
// Keys that nothing reads are looked up nowhere: 80,000 of them take no longer than
// as many values.
func TestManyUnknownKeys(t *testing.T) {
	var text strings.Builder
	text.WriteString(base("a", "1.0.0"))
	for i := range 80_000 {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	start := time.Now()
	p := ParseManifest("m.yaml", []byte(text.String()))
	if took := time.Since(start); took > 50*time.Second {
		t.Errorf("it took %v", took)
	}
	if n := len(p.Diagnostics); n != maxWarnings || p.Diagnostics[n-1].Line != 6+n || p.Diagnostics[n-1].Col != 1 {
		t.Errorf("%d diagnostics, %+v", n, p.Diagnostics[n-1])
	}
}

func TestCoreSchema(t *testing.T) {
	tests := map[string]string{
		"": "null", "~": "null", "Null": "null", "nULL": `"nULL"`, "True": "true", "FALSE": "false", "tRUE": `"tRUE"`,
		"off": `"off"`, "yes": `"yes"`, "y": `"y"`, "010": "10", "-07": "-7", "+1": "1", "0o17": "15", "0xFf": "255", "0o8": `"0o8"`, "0x": `"0x"`,
		"1_000": `"1_000"`, "0b11": `"0b11"`, "1:30": `"1:30"`, "2024-01-01": `"2024-01-01"`, "1e3": "1e3", "1E+3": "1E+3", ".5": "0.5", "5.": "5.0",
		"-.5e-1": "-0.5e-1", ".": `"."`, "+": `"+"`, "-": "", "1e": `"1e"`, "1e+-1": `"1e+-1"`, "e3": `"e3"`, "1.2.3": `"1.2.3"`, "-0": "-0", "00.10": "0.10",
		"'1'": `"1"`, `"true"`: `"true"`, "- 1": "[1]", "1 2": `"1 2"`,
	}
	for text, want := range tests {
		p := ParseManifest("m.yaml", []byte("v1: ignored\nid: a\nversion: 1.0.0\ntask_types: [a]\nx: "+text+"\n"))
		if text == "-" || text == "- 1" {
			continue // lists cannot stand there
		}
		if !p.Accepted() {
			t.Errorf("%q: %v", text, p.Diagnostics)
			continue
		}
		got := string(p.Manifest().JSON())
		if !strings.HasSuffix(got, `"x":`+want+"}") {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestPositions(t *testing.T) {
	text := "id: 'é'\nversion: 1.0.0\ncontract_version: 2\npublisher: {id: ö, name: ''}\ncompatibility:\n  kernel: latest\n  host: ^6.0.0\ntask_types: [job]\n"
	p := ParseManifest("packs/x/manifest.yaml", []byte(text))
	got := map[string][2]int{}
	for _, d := range p.Diagnostics {
		got[d.Path] = [2]int{d.Line, d.Col}
		if d.File != "packs/x/manifest.yaml" || d.Pack != "é" {
			t.Errorf("%+v", d)
		}
	}
	for path, want := range map[string][2]int{"/id": {1, 1}, "/publisher/name": {4, 21}, "/compatibility/kernel": {6, 3}} {
		if got[path] != want {
			t.Errorf("%s at %v, want %v", path, got[path], want)
		}
	}
	if line, col := p.Position("/task_types/0"); line != 8 || col != 14 {
		t.Errorf("%d:%d", line, col)
	}
	first := p.Diagnostics[0].String()
	if !strings.HasPrefix(first, "packs/x/manifest.yaml:1:1: error: Pack \"é\": ") || !strings.HasSuffix(first, "[PACK_SCHEMA]\n    at /id") {
		t.Errorf("%q", first)
	}
	twice := ParseManifest("m.yaml", []byte("a: 1\nb:\n  c: 1\n  c: 2\n"))
	if d := twice.Diagnostics[0]; d.Line != 4 || d.Col != 3 || !strings.Contains(d.Message, `"c"`) || !strings.Contains(d.Message, "line 3") {
		t.Errorf("%+v", d)
	}
}

// TestDefaults holds what a manifest means that leaves out all it may.
func TestDefaults(t *testing.T) {
	m := accept(t, isolatedText("box")).Manifest()
	c, ok := m.Capabilities()
	want := Capabilities{Read: []string{"data/**"}, Write: []string{}, Posture: "off", Env: []string{}, MemoryMB: 16, CPU: 100 * time.Millisecond, Grace: 2 * time.Second}
	if got, _ := json.Marshal(c); !ok || string(got) != string(must(json.Marshal(want))) {
		t.Errorf("%s", got)
	}
	c.Read[0] = "**"
	if again, _ := m.Capabilities(); again.Read[0] != "data/**" {
		t.Error("the capabilities were changed")
	}
	if tools := m.Tools(); len(tools) != 1 || tools[0].Permission != "read" || tools[0].InternalOnly {
		t.Errorf("%+v", tools)
	}
	huge := accept(t, strings.Replace(isolatedText("box"), "time_limit_ms: 100", "time_limit_ms: 1"+strings.Repeat("0", 50), 1))
	if c, _ := huge.Manifest().Capabilities(); c.CPU <= 0 {
		t.Errorf("a long time became %v", c.CPU)
	}
	doc, ok := accept(t, base("my-pack", "1.0.0")).Manifest().Document()
	if !ok || doc.Tools == nil || doc.DependsOn == nil || doc.StateAliases == nil {
		t.Errorf("%+v", doc)
	}
	claims := accept(t, trusted("my-pack")+"cli_commands: ['b:x', a, 'b:y', {name: 'c:d:e'}]\nnamespaces: {command: [z, a], state: [s, s]}\nconfig_key: my_pack\n").Manifest()
	for kind, want := range map[string]string{"command": "a b c z", "state": "s", "telemetry": "", "config": "my_pack", "none": ""} {
		if got := strings.Join(claims.Claims(kind), " "); got != want {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestFixtures judges schemas/pack/fixtures by their names.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("../../schemas/pack/fixtures/*.yaml")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d fixtures, %v", len(files), err)
	}
	for _, file := range files {
		p := ParseManifest(file, must(os.ReadFile(file)))
		if want := strings.HasSuffix(file, ".valid.yaml"); p.Accepted() != want {
			t.Errorf("%s: accepted %v\n%v", file, p.Accepted(), p.Diagnostics)
		}
	}
}

// TestKnownKeys holds the lists of known.go to the schemas.
func TestKnownKeys(t *testing.T) {
	type object struct {
		Properties map[string]any    `json:"properties"`
		Defs       map[string]object `json:"$defs"`
	}
	read := func(file string) (o object) {
		if err := json.Unmarshal(must(os.ReadFile("../../schemas/pack/"+file)), &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	parts := read("parts.v1.json")
	for _, test := range []struct {
		name string
		o    object
		keys map[string]bool
	}{
		{"manifest", read("manifest.v2.json"), manifestKeys}, {"tool", parts.Defs["Tool"], toolKeys}, {"path scope", parts.Defs["PathScope"], pathKeys},
		{"network scope", parts.Defs["NetworkScope"], netKeys}, {"policy", parts.Defs["Policy"], ruleKeys}, {"lane", parts.Defs["LaneTemplate"], laneKeys},
	} {
		if len(test.o.Properties) != len(test.keys) {
			t.Errorf("%s: %d keys in the schema, %d are known", test.name, len(test.o.Properties), len(test.keys))
		}
		for key := range test.o.Properties {
			if !test.keys[key] {
				t.Errorf("%s: %s is not known", test.name, key)
			}
		}
	}
	for key := range read("manifest.v1.json").Properties {
		if !manifestKeys[key] {
			t.Errorf("manifest: %s of contract v1 is not known", key)
		}
	}
}

// TestRulesAreListed holds schemas/pack/invariants.md to the two tables.
func TestRulesAreListed(t *testing.T) {
	doc := string(must(os.ReadFile("../../schemas/pack/invariants.md")))
	var ids []string
	for _, r := range manifestRules {
		ids = append(ids, r.id)
		if !strings.Contains(doc, "| `"+r.id+"`") || !strings.Contains(doc, "`"+string(r.code)+"`") {
			t.Errorf("%s, %s is not listed", r.id, r.code)
		}
	}
	for _, r := range setRules {
		ids = append(ids, r.id)
		if !strings.Contains(doc, "| `"+r.id+"`") {
			t.Errorf("%s is not listed", r.id)
		}
	}
	for line := range strings.Lines(doc) {
		if id, ok := strings.CutPrefix(line, "| `"); ok && !slices.Contains(ids, id[:strings.IndexByte(id, '`')]) {
			t.Errorf("%s is listed, but no rule", id)
		}
	}
}

// FuzzParseManifest holds that reading is total, says the same twice, and never
// gives more than the text plainly asks for.
func FuzzParseManifest(f *testing.F) {
	for _, text := range []string{base("a", "1.0.0"), trusted("a"), isolatedText("a"), "id: a\nversion: 1.0.0\ntask_types: [x]\n", bomb(), "%YAML 1.2\n---\na: *b\n",
		base("a", "1.0.0") + "trust_tier: Isolated\ndepends_on: [{id: a, version_range: '6,7'}]\nmigrations: [{from: '*', to: 2.0.0, steps: [{kind: x}]}]\n",
		"a: &x {<<: *x, 1: .inf, b: !!binary x}\n--- \n", "? [a]\n: {b: 0x1, c: 1e400, d: '\\u0000'}\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p := ParseManifest("m.yaml", text)
		if p.Accepted() == p.Diagnostics.HasErrors() {
			t.Fatal("verdict and diagnostics disagree")
		}
		lines := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + strings.Count(string(text), "\u0085") + strings.Count(string(text), "\u2028") + strings.Count(string(text), "\u2029") + 2
		for _, d := range p.Diagnostics {
			if d.Line < 1 || d.Line > lines || d.Col < 1 || d.Col > len(text)+1 || d.Message == "" {
				t.Fatalf("no such place: %+v", d)
			}
		}
		if again := ParseManifest("m.yaml", text); canonical(t, again.Diagnostics) != canonical(t, p.Diagnostics) {
			t.Fatal("two runs differ")
		}
		switch p.Tier {
		case TrustedHostAdapter, Isolated:
			if !strings.Contains(string(text), string(p.Tier)) && !strings.ContainsAny(string(text), `\"'|>`) {
				t.Fatalf("the tier %s out of nothing", p.Tier)
			}
		case Declarative, "":
		default:
			t.Fatalf("tier %q", p.Tier)
		}
		m := p.Manifest()
		if m == nil {
			return
		}
		if m.Tier() == Declarative && m.Contract() == 2 && len(m.Tools()) > 0 {
			t.Fatal("a declarative pack with tools")
		}
		if d := Decide(m, NewRegistry()); d.Allowed != (m.Tier() == Declarative && m.Contract() == 2) {
			t.Fatalf("decided %+v", d)
		}
		if json := ParseManifest("m.yaml", m.JSON()); len(m.JSON()) < 1000 && (!json.Accepted() || json.Tier != p.Tier || string(json.Manifest().JSON()) != string(m.JSON())) {
			t.Fatalf("its own JSON is another manifest: %v\n%s", json.Diagnostics, m.JSON())
		}
		if len(m.JSON()) > 1<<24 {
			t.Fatalf("%d bytes became %d", len(text), len(m.JSON()))
		}
	})
}

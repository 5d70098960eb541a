package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func codes(faults []Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Code)
	}
	return out
}

func TestImportVectors(t *testing.T) {
	var v struct {
		KernelPackages []string `json:"kernel_packages"`
		AllowedBare    []string `json:"allowed_bare"`
		Imports        []struct {
			ID, File, Source, Verdict, Code string
			Binding                         bool
		}
		Entries []struct {
			Entry, Verdict, Code, Resolved string
			Binding                        bool
		}
	}
	vectors(t, "imports.json", &v)
	for _, c := range v.Imports {
		tree, err := Read(write(t, map[string]string{c.File: c.Source}), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		if c.Code != "" {
			want = []string{c.Code}
		}
		got := codes(tree.Imports(ImportRules{v.KernelPackages, v.AllowedBare}))
		if c.Binding && !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.ID, got, want)
		} else if !slices.Equal(got, want) {
			t.Logf("%s (not binding): %v, want %v", c.ID, got, want)
		}
	}
	for _, c := range v.Entries {
		module, export, fault := SplitEntry(c.Entry)
		if export != "" {
			module += "#" + export
		}
		if fault.Code != c.Code || module != c.Resolved {
			if c.Binding {
				t.Errorf("%q: %q %s, want %q %s", c.Entry, module, fault.Code, c.Resolved, c.Code)
			} else {
				t.Logf("%q (not binding): %q %s, want %q %s", c.Entry, module, fault.Code, c.Resolved, c.Code)
			}
		}
	}
	if len(v.Imports) < 30 || len(v.Entries) < 15 {
		t.Errorf("only %d imports and %d entries", len(v.Imports), len(v.Entries))
	}
}

// The specifiers that code loads, however it is written.
func TestScan(t *testing.T) {
	for _, tt := range []struct{ file, source, want string }{
		{"a.ts", "import a from 'x';export*from\"y\";import'z'", "x y z"},
		{"a.ts", "import /* c */ a /* d */ from /* e */ 'x'", "x"},
		{"a.ts", "// import a from 'x'\n/* import b from 'y' */ import c from 'z'", "z"},
		{"a.ts", "const s = \"import a from 'x'\"; const t = `import('y')`", ""},
		{"a.ts", "const t = `${await import('x')} ${`${require('y')}`}`; import('z')", "x y z"},
		{"a.ts", "const t = `${ {a: {b: '}'}} }`; import('z')", "z"},
		{"a.ts", "const r = /'/; import('x'); const q = /'/", "x"},
		{"a.ts", "if (a) /'/.test(b); import('x'); if (a) /'/", "x"},
		{"a.ts", "a = b / c; import('x'); d = e / f", "x"},
		{"a.ts", "a++ / 2; import('x'); b / 1", "x"},
		{"a.ts", "a = b[0] / '/'; import('x')", "x"},
		{"a.ts", "x = /[/'\"]/; import('y')", "y"},
		{"a.ts", "x = {}\n/'/g; import('y') //'", "y"},
		{"a.ts", "import('a' + b)", "?"},
		{"a.ts", "import(a)", "?"},
		{"a.ts", "import(`a${b}`)", "?"},
		{"a.ts", "import(`a`)", "a"},
		{"a.ts", "import(/* hint */ 'a' /* b */)", "a"},
		{"a.ts", "import('a', { with: { type: 'json' } })", "a"},
		{"a.ts", "import(('a'))", "?"},
		{"a.ts", "import.defer('a'); import.source('b'); import.meta.resolve('c')", "a b"},
		{"a.ts", "import defer * as a from 'x'", "x"},
		{"a.cjs", "require('a'); module.require('b'); require?.('c'); require(d); require.resolve('e')", "a b c ?"},
		{"a.cjs", "const r = require; r('a'); (0, require)('b')", "? ?"},
		{"a.mjs", "import { createRequire } from 'module'; createRequire(import.meta.url)('a')", "? module ?"},
		{"a.cjs", `requ\u0069re('a'); require('\x62'); require('\u{63}'); require("d\
e")`, "a b c de"},
		{"a.cjs", "<!-- `\nrequire('a')\n--> `", "a"},
		{"a.cjs", "x --> 'y'; require('a')", "a"},
		{"a.ts", "#!/usr/bin/node 'import\nimport 'a'", "a"},
		{"a.ts", "\uFEFFimport 'a'", "a"},
		{"a.ts", "// \u2028import 'a'", "a"},
		{"a.ts", "import\u00a0'a'; import\ufeff'b'", "a b"},
		{"a.ts", "x.import('a'); ({from: 'b'}); Array.from('c'); y.from\n'd'", ""},
		{"a.ts", "let s = 'it\nimport 'a'", "a"},
		{"a.ts", "const t = `never ends\nimport 'a'", "a"},
		{"a.ts", "import type { A } from 'a'; import b = require('b'); type C = import('c').C", "a b c"},
		{"a.ts", "const a = <T>(x: T) => x; import('b')", "b"},
		{"a.tsx", "const a = <p>Don't {import('x')} won't</p>", "x"},
		{"a.tsx", "const a = <p>see http://a.b {import('x')}</p>", "x"},
		{"a.tsx", "const a = <p>/* {import('x')}</p>", "x"},
		{"a.tsx", "const a = <p>` {import('x')}</p>", "x"},
		{"a.tsx", "const a = <p>/ {import('x')} /</p>", "x"},
	} {
		loads, ok := scanLoads(tt.source, strings.HasSuffix(tt.file, "x"))
		var got []string
		for _, l := range loads {
			if l.dynamic {
				got = append(got, "?")
			} else {
				got = append(got, l.specifier)
			}
		}
		if s := strings.Join(got, " "); s != tt.want || !ok {
			t.Errorf("%s\n\tloads %s (%v), want %s", tt.source, s, ok, tt.want)
		}
	}
}

func TestJudge(t *testing.T) {
	rules := DefaultImportRules()
	rules.Packages = []string{"simple-git"}
	for specifier, want := range map[string]string{
		"node:fs": "", "fs": "", "fs/promises": "", "fs/evil": "PACK_IMPORT_BARE", "FS": "PACK_IMPORT_BARE",
		"@hellmai/lumenflow-kernel": "", "@lumenflow/kernel/a/b": "", "@lumenflow/kernel/../cli": "PACK_IMPORT_FORBIDDEN_SCOPE",
		"@lumenflow/kernel/..%2fcli": "PACK_IMPORT_FORBIDDEN_SCOPE", "@lumenflow/kernelx": "PACK_IMPORT_FORBIDDEN_SCOPE", "@hellmai/x": "PACK_IMPORT_FORBIDDEN_SCOPE",
		"@other/kernel": "PACK_IMPORT_BARE", "simple-git": "", "simple-git/x": "PACK_IMPORT_BARE", "": "PACK_IMPORT_BARE",
		"./b": "", "../b": "", "../../b": "PACK_IMPORT_OUTSIDE_ROOT", "./../../b": "PACK_IMPORT_OUTSIDE_ROOT", "..": "", "../..": "PACK_IMPORT_OUTSIDE_ROOT",
		"/b": "PACK_IMPORT_OUTSIDE_ROOT", `\b`: "PACK_IMPORT_OUTSIDE_ROOT", `..\..\b`: "PACK_IMPORT_OUTSIDE_ROOT", "..foo/x": "PACK_IMPORT_BARE",
		"./%2e%2e/%2E./b": "PACK_IMPORT_OUTSIDE_ROOT", "./.\t./.\n./b": "PACK_IMPORT_OUTSIDE_ROOT", "./x/../../../b": "PACK_IMPORT_OUTSIDE_ROOT",
		"file:///etc/x": "PACK_IMPORT_BARE", "http://a/b": "PACK_IMPORT_BARE", "data:text/javascript,1": "PACK_IMPORT_BARE", "#x": "PACK_IMPORT_BARE",
		"./b?x=../../../y": "", "..?/x": "", "C:/x": "PACK_IMPORT_BARE", "//a/b": "PACK_IMPORT_OUTSIDE_ROOT",
		"../dist/x.js": "PACK_IMPORT_EXCLUDED", "../node_modules/x": "PACK_IMPORT_EXCLUDED", "./dist/x": "", "./x.test.js": "PACK_IMPORT_EXCLUDED",
		"./x.spec": "PACK_IMPORT_EXCLUDED", "./__tests__/x": "PACK_IMPORT_EXCLUDED", "./%2e/__tests__": "PACK_IMPORT_EXCLUDED",
	} {
		if f, _ := rules.judge("dir/a.ts", load{specifier: specifier}); f.Code != want {
			t.Errorf("%q: %q, want %q", specifier, f.Code, want)
		}
	}
}

func TestAllOffencesAreReported(t *testing.T) {
	faults := ImportsOf("a.ts", "import 'a';\nimport 'node:fs';\nimport '/b';\n\nimport '@lumenflow/c';\n", DefaultImportRules())
	if got := strings.Join(codes(faults), " "); got != "PACK_IMPORT_BARE PACK_IMPORT_OUTSIDE_ROOT PACK_IMPORT_FORBIDDEN_SCOPE" || faults[2].Line != 5 {
		t.Errorf("%+v", faults)
	}
}

// A host would load an entry, whatever its file is called.
func TestEntriesAreScanned(t *testing.T) {
	tree, err := Read(write(t, map[string]string{"a.test.ts": "import 'x'", "b.test.ts": "import 'y'", "tool.txt": "import 'z'"}), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.Imports(DefaultImportRules(), "a.test.ts", "tool.txt"); len(got) != 2 || got[0].Value != "x" || got[1].Value != "z" {
		t.Errorf("%+v", got)
	}
}

// Entries are looked for on the disk, and no link leads there.
func TestResolveEntry(t *testing.T) {
	dir := write(t, map[string]string{"tool-impl/a.ts": "", "..foo/x.ts": "", "real/x.ts": ""})
	os.Symlink("real", filepath.Join(dir, "linked"))
	os.Symlink("/etc/passwd", filepath.Join(dir, "link.ts"))
	os.Symlink("tool-impl/a.ts", filepath.Join(dir, "inner.ts"))
	for entry, want := range map[string]string{
		"tool-impl/a.ts#run": "", "./tool-impl//a.ts": "", "..foo/x.ts": "", "tool-impl/../real/x.ts": "",
		"tool-impl/b.ts": "PACK_ENTRY_MISSING", "tool-impl": "PACK_ENTRY_MISSING", ".": "PACK_ENTRY_MISSING", "Tool-impl/a.ts": "PACK_ENTRY_MISSING",
		"linked/x.ts": "PACK_ENTRY_OUTSIDE_ROOT", "link.ts": "PACK_ENTRY_OUTSIDE_ROOT", "inner.ts": "PACK_ENTRY_OUTSIDE_ROOT",
		"../x.ts": "PACK_ENTRY_OUTSIDE_ROOT", "/etc/passwd": "PACK_ENTRY_OUTSIDE_ROOT", `a\b`: "PACK_ENTRY_OUTSIDE_ROOT", "c:/x": "PACK_ENTRY_OUTSIDE_ROOT",
		"a\x00b": "PACK_ENTRY_OUTSIDE_ROOT", "#x": "PACK_ENTRY_MODULE_EMPTY", "": "PACK_ENTRY_MODULE_EMPTY", "a.ts#": "PACK_ENTRY_EXPORT_EMPTY",
	} {
		if _, _, f := ResolveEntry(dir, entry); f.Code != want {
			t.Errorf("%q: %q, want %q", entry, f.Code, want)
		}
	}
}

// A report says enough, however much there is to say.
func TestImportFaultsAreBounded(t *testing.T) {
	tree, err := Read(write(t, map[string]string{"a.ts": "import 'x'", "b.ts": strings.Repeat("import(a)\n", 300_000), "c.ts": "import 'y'"}), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := tree.Imports(DefaultImportRules())
	if len(got) != maxImportFaults+1 || got[0].Value != "x" || got[maxImportFaults].Line != maxImportFaults || !strings.Contains(got[maxImportFaults].Message, "left out") {
		t.Errorf("%d faults, the last one %+v", len(got), got[len(got)-1])
	}
}

// However contrived a file is, the scan ends soon and finds the last line, or says
// that it cannot tell.
func TestScanIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"slashes": "/a) ", "quotes": "'\"`", "templates": "`${", "braces": "`${{", "regex": ")/[/", "comments": "/*//", "html": "<!-- `", "jsx": "<a>'/\"", "words": "import ",
	} {
		for _, jsx := range []bool{false, true} {
			source := strings.Repeat(unit, 40_000) + "\nimport 'left-pad'"
			loads, ok := scanLoads(source, jsx)
			found := false
			for _, l := range loads {
				found = found || l.specifier == "left-pad"
			}
			if !found && ok && name != "comments" && name != "templates" && name != "braces" {
				t.Errorf("%s, %v: the import is missed in silence", name, jsx)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("if (a) /'/.test(`${b}`); import('x')", false)
	f.Add("<p>Don't {import('x')}</p>", true)
	f.Add("\\u{69}mport `${`", true)
	f.Fuzz(func(t *testing.T, source string, jsx bool) {
		loads, ok := scanLoads(source, jsx)
		for _, l := range loads {
			if l.at < 0 || l.at >= len(source) || l.line < 1 {
				t.Errorf("%+v", l)
			}
		}
		// What stands before a file's first line cannot hide what follows when it is
		// closed on its own lines.
		more, okMore := scanLoads(source+"\n*/`'\";\nimport 'last-line'", jsx)
		if ok && okMore && len(more) < len(loads) {
			t.Errorf("more text, fewer loads: %v, then %v", loads, more)
		}
	})
}

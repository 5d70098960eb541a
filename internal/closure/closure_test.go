package closure

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
)

func example(t *testing.T) *Set {
	t.Helper()
	set, err := Close([]File{
		{Path: "go/b.gen.go", Data: []byte("package b\n")},
		{Path: "artifacts/a/two.json", Data: []byte(`{"b":1.50,"a":[1e2,"é\u0007",0.000001,1e-7,1e21,123456789012345680000,-0.0,5e-324]}`), Contract: "a"},
		{Path: "artifacts/a/one.json", Data: []byte("{\n  \"\u20ac\": null, \"\U0001F600\": true, \"\ufb33\": {}, \"\\n\": [ ]\n}"), Contract: "a"},
	}, []string{"b", "a"}, []string{"contracts.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func write(t *testing.T, set *Set) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range set.Files() {
		name := filepath.Join(dir, f.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCloseIsWhole(t *testing.T) {
	set := example(t)
	var paths []string
	for _, f := range set.Files() {
		paths = append(paths, f.Path)
	}
	want := "artifacts/a/one.json artifacts/a/two.json checksums.json contract.json go/b.gen.go"
	if got := strings.Join(paths, " "); got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
	f, _ := set.File(ContractFile)
	if !strings.Contains(string(f.Data), set.ContractDigest()) {
		t.Errorf("contract.json does not hold %s:\n%s", set.ContractDigest(), f.Data)
	}
	if problems := Verify(write(t, set)); len(problems) > 0 {
		t.Errorf("verify: %v", problems)
	}
}

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{`[1.0, 1e2, 0.10, -0, 1E+3]`, `[1,100,0.1,0,1000]`},
		{`9007199254740992`, `9007199254740992`},
		{`9007199254740993`, ""},
		{`0.12345678901234567890123`, ""},
		{`1e400`, ""},
		{`1e-400`, ""},
		{`123456789012345680000`, `123456789012345680000`},
		{`100000000000000000000000`, `1e+23`},
		{`1e99999999999999999999`, ""},
		{`0e99999999999999999999`, `0`},
		{`{"a":1,"a":1}`, ""},
		{`"\ud800"`, ""},
		{`1 2`, ""},
	} {
		got, digest, err := Canonical([]byte(tt.in))
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("Canonical(%s) = %s, %v, want %q", tt.in, got, err, tt.want)
		}
		if err == nil && digest != Digest(got) {
			t.Errorf("Canonical(%s): digest %s", tt.in, digest)
		}
	}
	_, _, err := Canonical([]byte(`{"a":[1, 9007199254740993]}`))
	if n, ok := errors.AsType[*NumberError](err); !ok || n.Pointer != "/a/1" || n.Offset != 9 {
		t.Errorf("number error: %#v", err)
	}
}

func TestCloseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []File
		code string
	}{
		{"two of one path", []File{{Path: "a"}, {Path: "a"}}, "closure.duplicate-path"},
		{"only case differs", []File{{Path: "a"}, {Path: "A"}}, "closure.duplicate-path"},
		{"file and folder", []File{{Path: "a"}, {Path: "a/b"}}, "closure.duplicate-path"},
		{"outside", []File{{Path: "../a"}}, "closure.path-escape"},
		{"absolute", []File{{Path: "/a"}}, "closure.path-escape"},
		{"not clean", []File{{Path: "a//b"}}, "closure.path-escape"},
		{"a source", []File{{Path: "schemas/a.json"}}, "closure.source-path"},
		{"a seal", []File{{Path: "Contract.json"}}, "closure.source-path"},
		{"a folder for a seal", []File{{Path: "contract.json/a"}}, "closure.source-path"},
		{"a number", []File{{Path: "a.json", Contract: "c", Data: []byte(`9007199254740993`)}}, "closure.number"},
		{"no JSON", []File{{Path: "a.json", Contract: "c", Data: []byte(`{`)}}, "closure.canonical"},
	} {
		_, err := Close(tt.in, []string{"c"}, []string{"schemas/a.json"})
		list, ok := errors.AsType[diag.List](err)
		if !ok || len(list) != 1 || list[0].Code != tt.code {
			t.Errorf("%s: %v, want one %s", tt.name, err, tt.code)
		}
	}
}

// Each way of breaking the closure is found by Verify and by the script in docs.
func TestVerifyFindsTheBrokenLink(t *testing.T) {
	python, _ := exec.LookPath("python3")
	edit := func(name string, change func(string) string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(change(string(data))), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	replace := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	for _, tt := range []struct {
		name   string
		break_ func(*testing.T, string)
		want   string // codes and files, in order
		script bool   // the script in docs must see it, too
	}{
		{"whole", func(*testing.T, string) {}, "", false},
		{"a byte of a file", edit("go/b.gen.go", replace("b", "c")), "closure.digest go/b.gen.go", true},
		{"layout of an artifact", edit("artifacts/a/one.json", replace("\n", " ")), "closure.digest artifacts/a/one.json", true},
		{"a missing file", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "go/b.gen.go")) }, "closure.missing go/b.gen.go", true},
		{"no checksums", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, ChecksumsFile)) }, "closure.missing checksums.json", true},
		{"a folder for a file", func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, "go/b.gen.go"))
			os.Mkdir(filepath.Join(dir, "go/b.gen.go"), 0o755)
		}, "closure.unreadable go/b.gen.go", true},
		{"a symbolic link", func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, "go"), filepath.Join(dir, "elsewhere"))
			if err := os.Symlink("elsewhere", filepath.Join(dir, "go")); err != nil {
				t.Skip(err)
			}
		}, "closure.symlink go/b.gen.go", false},
		{"an unlisted root", edit(ChecksumsFile, replace(`"contract.json"`, `"other.json"`)), "closure.unlisted checksums.json, closure.missing other.json", true},
		{"the root's digest", edit(ContractFile, replace(`"contractDigest": "sha256:`, `"contractDigest": "sha256:0`)), "closure.digest contract.json, closure.format contract.json", false},
		{"a path outside", edit(ChecksumsFile, replace(`"go/b`, `"../go/b`)), "closure.format checksums.json", true},
		{"another version", edit(ChecksumsFile, replace(`"formatVersion": 1`, `"formatVersion": 2`)), "closure.format checksums.json", false},
		{"a name in another case", edit(ChecksumsFile, replace(`"files"`, `"Files"`)), "closure.format checksums.json", true},
		{"no JSON", edit(ContractFile, replace(`{`, ``)), "closure.digest contract.json, closure.format contract.json", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, example(t))
			tt.break_(t, dir)
			var got []string
			for _, d := range Verify(dir) {
				got = append(got, d.Code+" "+d.Pos.File)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
			if python == "" {
				t.Skip("no python3: docs/verify.py is not run")
			}
			out, err := exec.Command(python, filepath.FromSlash("../../docs/verify.py"), dir).CombinedOutput()
			if tt.want == "" && (err != nil || !strings.HasPrefix(string(out), "whole: sha256:")) || tt.script && err == nil {
				t.Errorf("docs/verify.py: %v\n%s", err, out)
			}
		})
	}
}

// A tamperer who keeps checksums.json in step is still caught by contract.json.
func TestVerifyNeedsBothSeals(t *testing.T) {
	dir := write(t, example(t))
	name := filepath.Join(dir, "artifacts/a/two.json")
	forged := []byte(`{"a":[],"b":2}`)
	os.WriteFile(name, forged, 0o644)
	data, _ := os.ReadFile(filepath.Join(dir, ChecksumsFile))
	c, err := ParseChecksums(data)
	if err != nil {
		t.Fatal(err)
	}
	c.Files["artifacts/a/two.json"] = Digest(forged)
	out, _ := json.Marshal(c)
	os.WriteFile(filepath.Join(dir, ChecksumsFile), out, 0o644)
	list := Verify(dir)
	if len(list) != 1 || list[0].Code != "closure.digest" || list[0].Pos.File != "artifacts/a/two.json" {
		t.Errorf("verify: %v", list)
	}
}

func TestScriptHasTwentyLines(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../../docs/verify.py"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if lines > 25 {
		t.Errorf("docs/verify.py has %d lines; it is meant to be read at a glance", lines)
	}
}

// FuzzSeals feeds hostile seals to the readers: no panic, and what is accepted
// has paths that stay inside.
func FuzzSeals(f *testing.F) {
	f.Add([]byte(`{"formatVersion":1,"files":{"a":"sha256:` + strings.Repeat("0", 64) + `"}}`))
	f.Add([]byte(`{"formatVersion":1,"contractDigest":"sha256:` + strings.Repeat("0", 64) + `","contracts":[{"name":"a","artifacts":[{"path":"x","sha256":"sha256:` + strings.Repeat("a", 64) + `","bytes":1}]}]}`))
	f.Add([]byte(`{"formatVersion":1,"contracts":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := ParseChecksums(data); err == nil {
			for p := range c.Files {
				if !filepath.IsLocal(p) {
					t.Errorf("the path %q was accepted", p)
				}
			}
		}
		if r, err := parseRoot(data); err == nil {
			r.computed()
		}
	})
}

// FuzzCanonical holds that the canonical form is stable and has the same numbers.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"b":1,"a":[1e2,-0.0]}`, `9007199254740993`, `1e400`, `"\u00e9"`, `0.1e-5`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once, digest, err := Canonical(data)
		if err != nil {
			return
		}
		twice, again, err := Canonical(once)
		if err != nil || string(once) != string(twice) || digest != again {
			t.Errorf("%q → %q → %q: %v", data, once, twice, err)
		}
	})
}

// Seals that anyone may have written cost no more than their size, and never
// lead outside the folder.
func TestVerifyHostile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	zeros := "sha256:" + strings.Repeat("0", 64)
	many := make([]string, 5000)
	for i := range many {
		many[i] = `"f` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strconv.Itoa(i) + `":"` + zeros + `"`
	}
	for _, tt := range []struct{ name, checksums, code string }{
		{"an absolute path", `{"formatVersion":1,"files":{"` + filepath.ToSlash(outside) + `":"` + zeros + `"}}`, "closure.format"},
		{"dot segments", `{"formatVersion":1,"files":{"a/../../secret":"` + zeros + `"}}`, "closure.format"},
		{"a backslash", `{"formatVersion":1,"files":{"..\\secret":"` + zeros + `"}}`, "closure.format"},
		{"git's own", `{"formatVersion":1,"files":{".git/config":"` + zeros + `"}}`, "closure.format"},
		{"nesting", strings.Repeat("[", 200_000), "closure.format"},
		{"itself", `{"formatVersion":1,"files":{"checksums.json":"` + zeros + `"}}`, "closure.format"},
		{"a control character", `{"formatVersion":1,"files":{"a\u001b[31m":"` + zeros + `"}}`, "closure.format"},
		{"many files", `{"formatVersion":1,"files":{` + strings.Join(many, ",") + `}}`, "closure.unlisted"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ChecksumsFile), []byte(tt.checksums), 0o644); err != nil {
			t.Fatal(err)
		}
		list := Verify(dir)
		if len(list) == 0 || list[0].Code != tt.code {
			t.Errorf("%s: %v", tt.name, list)
		}
		if len(list) > maxProblems+1 {
			t.Errorf("%s: %d diagnostics", tt.name, len(list))
		}
	}
}

package main

import (
	"encoding/hex"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expectations of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"contracts": main})
}

// Each archive holds one behaviour of the command line.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"bytes": writeBytes, "files": listFiles, "replace": replaceIn, "crlf": endLines, "exit": exitStatus,
		},
		Setup: func(env *testscript.Env) error {
			// What scripts compile is worth keeping; all else they have to themselves.
			cache, err := exec.Command("go", "env", "GOCACHE").Output()
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			return err
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Getuid() == 0, nil
			}
			return false, nil
		},
	})
}

// bytes FILE HEX writes bytes that an archive cannot hold.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	data, err := hex.DecodeString(strings.Join(args[1:], ""))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// files DIR OUT writes the names of all files below DIR, but those of the
// command's own state, to OUT.
func listFiles(ts *testscript.TestScript, _ bool, args []string) {
	root := ts.MkAbs(args[0])
	var names []string
	ts.Check(filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if !strings.HasPrefix(rel, ".contracts"+string(filepath.Separator)) {
			names = append(names, filepath.ToSlash(rel)+"\n")
		}
		return err
	}))
	slices.Sort(names)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(names, "")), 0o644))
}

// crlf FILE lets its lines end in CR LF.
func endLines(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(string(data), "\n", "\r\n")), 0o644))
}

// replace FILE OLD NEW replaces the first OLD, which must be there.
func replaceIn(ts *testscript.TestScript, _ bool, args []string) {
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if !strings.Contains(string(data), args[1]) {
		ts.Fatalf("%s holds no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(string(data), args[1], args[2], 1)), 0o644))
}

// exit CODE ARG... runs contracts and wants the exit code.
func exitStatus(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec("contracts", args[1:]...)
	got := "0"
	if err != nil {
		_, got, _ = strings.Cut(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("contracts %s: exit status %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

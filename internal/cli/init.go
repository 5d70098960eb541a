package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/diag"
)

// skeleton holds what init writes: paths and contents with NAME for the
// contract's name, and lines that start with #go# for projects in Go.
//
//go:embed all:skeleton
var skeleton embed.FS

// InitReport is what init prints with --json.
type InitReport struct {
	OK      bool     `json:"ok"`
	Written []string `json:"written"`
}

// attributes is the only file of init that a project may have already.
const attributes = ".gitattributes"

var contractName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func newInitCmd(env *Env) *cobra.Command {
	var asJSON bool
	var name string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Start a project here: contracts.yaml, an example schema, Makefile lines, a CI workflow",
		Long: `Start a project here: contracts.yaml, an example schema with fixtures,
contracts.mk with lines for the Makefile, .gitattributes and a CI workflow.
Nothing that exists is overwritten.`,
		Example: `  contracts init --name orders`,
		Args:    argCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if !contractName.MatchString(name) {
				return &usageError{code: "usage.bad_option_value", message: fmt.Sprintf("--name cannot be %.100q", name), hint: "use lower-case letters, digits and hyphens, and a letter first"}
			}
			return runInit(env, name, asJSON)
		},
	}
	cmd.Flags().StringVar(&name, "name", "example", "name of the contract")
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "report as JSON")
	return cmd
}

func runInit(env *Env, name string, asJSON bool) error {
	files, err := initFiles(name, inGoModule(env.Dir))
	if err != nil {
		return err
	}
	top, err := os.OpenRoot(env.Dir)
	if err != nil {
		return fmt.Errorf("open the folder: %w", err)
	}
	defer top.Close()
	var taken diag.List
	_, err = top.Lstat(attributes)
	own := err == nil // one's own, which stays
	if own {
		files = slices.DeleteFunc(files, func(f closure.File) bool { return f.Path == attributes })
	}
	for _, f := range files {
		if _, err := top.Lstat(filepath.FromSlash(f.Path)); err == nil {
			taken.Add(diag.Diagnostic{Code: "init.exists", Pos: diag.Pos{File: f.Path}, Message: "the file exists; contracts init overwrites nothing",
				Hint: "move it away, or write contracts.yaml by hand"})
		}
	}
	if len(taken) > 0 {
		if asJSON {
			return printAndFail(env, Report{Version: 1, Command: "init", Diagnostics: taken})
		}
		if err := printText(env.Stdout, taken, env.colour()); err != nil {
			return err
		}
		return verdict(exitFailed)
	}
	report := InitReport{OK: true}
	for _, f := range files {
		if err := createNew(top, f.Path, f.Data); err != nil {
			for _, done := range report.Written { // all or nothing
				_ = top.Remove(filepath.FromSlash(done))
			}
			return fmt.Errorf("write %s: %s", f.Path, closure.Reason(err))
		}
		report.Written = append(report.Written, f.Path)
	}
	if asJSON {
		return printJSON(env, report)
	}
	for _, f := range report.Written {
		fmt.Fprintln(env.Stdout, f)
	}
	if own {
		fmt.Fprintf(env.Stderr, "%s is there already: see that it keeps git from changing line ends of generated files, as generated/** -text does\n", attributes)
	}
	return nil
}

func printAndFail(env *Env, r Report) error {
	if err := printJSON(env, r); err != nil {
		return err
	}
	return verdict(exitFailed)
}

// createNew writes a file that must not exist yet, and the folders it needs.
func createNew(top *os.Root, name string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := top.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	f, err := top.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// initFiles returns the files of a new project, ordered by path.
func initFiles(name string, inGo bool) ([]closure.File, error) {
	var files []closure.File
	err := fs.WalkDir(skeleton, "skeleton", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := skeleton.ReadFile(file)
		if err != nil {
			return err
		}
		var text strings.Builder
		for line := range strings.Lines(string(data)) {
			if rest, goOnly := strings.CutPrefix(line, "#go#"); goOnly {
				if !inGo {
					rest = "# " + rest
				}
				line = rest
			}
			text.WriteString(line)
		}
		rename := func(s string) string { return strings.ReplaceAll(s, "NAME", name) }
		target := strings.TrimSuffix(strings.TrimPrefix(file, "skeleton/"), ".tmpl")
		files = append(files, closure.File{Path: rename(target), Data: []byte(rename(text.String()))})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the built-in skeleton: %w", err)
	}
	slices.SortFunc(files, func(a, b closure.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// inGoModule reports whether there is a go.mod in dir or above.
func inGoModule(dir string) bool {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return true
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

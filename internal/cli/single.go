package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/contractkit/contractkit/gen/goname"
	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/config"
	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/output"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/internal/source"
)

// singleFlags are the options of generate for one schema without a project.
type singleFlags struct {
	schema, out, pkg, root, draft, runtime string
	maps                                   []string
	assertFormat, assertContent            bool
}

func (s *singleFlags) flags(set *pflag.FlagSet) {
	set.StringVar(&s.schema, "schema", "", "one schema `FILE` instead of a project; - is standard input")
	set.StringVar(&s.out, "out", "", "with --schema: the package's folder, inside a Go module")
	set.StringVar(&s.pkg, "package", "", "with --schema: package name; default: made from the folder's name")
	set.StringVar(&s.root, "root", "", "with --schema: name of the root's type; default: x-go-name or the file's name")
	set.StringVar(&s.draft, "draft", "", "with --schema: what a schema without $schema is written in: 2020-12, 2019-09, 7, 6 or 4")
	set.StringArrayVar(&s.maps, "map", nil, "with --schema: `URL-PREFIX=DIR` serves remote references from a folder; may be repeated")
	set.BoolVar(&s.assertFormat, "assert-format", false, "with --schema: check format")
	set.BoolVar(&s.assertContent, "assert-content", false, "with --schema: check contentEncoding and contentMediaType")
	set.StringVar(&s.runtime, "runtime", "", "with --schema: folder of the runtime package, shared by several; default: contract below --out")
}

// given reports whether any of the options was set.
func (s *singleFlags) given() bool {
	return s.schema != "" || s.out != "" || s.pkg != "" || s.root != "" || s.draft != "" || s.runtime != "" || len(s.maps) > 0 || s.assertFormat || s.assertContent
}

var draftNames = map[string]graph.Draft{
	"": 0, "2020-12": graph.Draft2020, "draft2020-12": graph.Draft2020, "2019-09": graph.Draft2019, "draft2019-09": graph.Draft2019,
	"7": graph.Draft7, "draft7": graph.Draft7, "draft-07": graph.Draft7, "6": graph.Draft6, "draft6": graph.Draft6, "draft-06": graph.Draft6,
	"4": graph.Draft4, "draft4": graph.Draft4, "draft-04": graph.Draft4,
}

// runSingle generates the package of one schema.
func runSingle(ctx context.Context, env *Env, s *singleFlags, format string, force bool) error {
	report := &Report{Command: "generate"}
	single, runtimeDir, err := s.settle(env)
	if err != nil {
		return err
	}
	if single.Rules, err = s.rules(ctx, env); err != nil {
		return report.failed(env, format, err)
	}
	files, notes, err := single.Files(ctx)
	if err != nil {
		return report.failed(env, format, err)
	}
	if runtimeDir != "" {
		// Packages that share the runtime may have rules where this one has none.
		_, have := os.Stat(filepath.Join(inDir(env, runtimeDir), "cel"))
		runtime, err := build.RuntimeFiles(single.Runtime, have == nil || single.NeedsRules(files))
		if err != nil {
			return err
		}
		if err := writeFolder(ctx, env, runtimeDir, runtime, force, report); err != nil {
			return report.failed(env, format, err)
		}
	}
	if err := writeFolder(ctx, env, s.out, files, force, report); err != nil {
		return report.failed(env, format, err)
	}
	report.Diagnostics = append(report.Diagnostics, notes...)
	return report.show(env, format)
}

// settle reads the schema and works out names and paths.
func (s *singleFlags) settle(env *Env) (*build.Single, string, error) {
	draft, known := draftNames[s.draft]
	switch {
	case s.schema == "" || s.out == "":
		return nil, "", &usageError{code: "usage.missing_required_option", message: "--schema and --out go together", hint: "contracts generate --schema FILE --out DIR"}
	case !known:
		return nil, "", &usageError{code: "usage.bad_option_value", message: fmt.Sprintf("no draft is called %.40q", s.draft), hint: "--draft 2020-12, 2019-09, 7, 6 or 4"}
	}
	single := &build.Single{Draft: draft, AssertFormat: s.assertFormat, AssertContent: s.assertContent, Root: s.root, Package: s.pkg}
	for _, m := range s.maps {
		prefix, dir, found := strings.Cut(m, "=")
		if !found {
			return nil, "", &usageError{code: "usage.bad_option_value", message: fmt.Sprintf("--map %.100q has no =", m), hint: "--map https://example.com/schemas/=DIR"}
		}
		single.Maps = append(single.Maps, source.Mapping{Prefix: prefix, Dir: inDir(env, dir)})
	}
	var err error
	if single.Name, single.Data, err = readSchema(env, s.schema); err != nil {
		return nil, "", err
	}
	switch {
	case s.schema == "-":
	case filepath.IsLocal(filepath.FromSlash(single.Name)):
		single.Dir = env.Dir
	default: // the folders around this one are no business of what is generated
		single.Name, single.Dir = path.Base(single.Name), filepath.Dir(inDir(env, s.schema))
	}
	out, err := filepath.Abs(inDir(env, s.out))
	if err != nil {
		return nil, "", err
	}
	if single.Package == "" {
		single.Package = goname.Package(filepath.Base(out))
	}
	runtimeDir := s.runtime
	at := filepath.Join(out, "contract")
	if runtimeDir != "" {
		if at, err = filepath.Abs(inDir(env, runtimeDir)); err != nil {
			return nil, "", err
		}
	} else {
		single.Vendor = "contract"
	}
	if single.Runtime, err = config.ImportPath(at); err != nil {
		return nil, "", err
	}
	if single.Runtime == "" {
		return nil, "", diagError(diag.Diagnostic{Severity: diag.Error, Code: "build.no-module", Pos: diag.Pos{File: s.out},
			Message: "generated Go code needs an import path for its runtime package, and there is no go.mod in the folder or above",
			Hint:    "run go mod init there first"})
	}
	return single, runtimeDir, nil
}

// rules reads the registry beside the schema; nil when there is none.
func (s *singleFlags) rules(ctx context.Context, env *Env) (*rules.Files, error) {
	if s.schema == "-" {
		return nil, nil
	}
	if filepath.IsLocal(s.schema) { // messages name files as the command line does
		return build.Beside(ctx, inDir(env, "."), filepath.ToSlash(filepath.Clean(s.schema)), source.Limits{})
	}
	return build.Beside(ctx, filepath.Dir(inDir(env, s.schema)), filepath.Base(s.schema), source.Limits{})
}

func diagError(d diag.Diagnostic) error { return diag.List{d} }

// readSchema returns the schema's text, and a name that tells its syntax.
func readSchema(env *Env, file string) (string, []byte, error) {
	const most = 64 << 20
	if file == "-" {
		data, err := io.ReadAll(io.LimitReader(env.Stdin, most+1))
		if err == nil && len(data) > most {
			err = errors.New("it is larger than 64 MiB")
		}
		if err != nil {
			return "", nil, fmt.Errorf("read standard input: %w", err)
		}
		return "schema.json", data, nil
	}
	f, err := os.Open(inDir(env, file))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", file, err)
	}
	return path.Clean(filepath.ToSlash(file)), data, nil
}

// writeFolder makes folder hold files, and removes what an earlier run left there.
func writeFolder(ctx context.Context, env *Env, folder string, files []closure.File, force bool, report *Report) error {
	dir := inDir(env, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	set, err := closure.Close(files, nil, nil)
	if err != nil {
		return err
	}
	plan, err := output.Compare(set, dir)
	if err != nil {
		return fmt.Errorf("compare with the disk: %w", err)
	}
	if plan, err = output.Apply(ctx, plan, output.Options{Force: force}); err != nil {
		return err
	}
	for _, d := range plan.Left() {
		d.Pos.File = path.Join(filepath.ToSlash(folder), d.Pos.File)
		report.Diagnostics.Add(d)
	}
	for _, e := range plan.Entries {
		file := path.Join(filepath.ToSlash(folder), e.Path)
		switch e.State {
		case output.Equal, output.Foreign:
		case output.Orphan:
			report.Removed = append(report.Removed, file)
		default:
			report.Written = append(report.Written, file)
		}
	}
	return nil
}

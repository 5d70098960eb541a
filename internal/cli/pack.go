package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/contractkit/contractkit/internal/packauthor"
	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/inspect"
)

func newPackCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pack",
		Short: "Start, check, connect and migrate extension packs (Pack Contract v2)",
		Example: `  contracts pack scaffold --id my-pack --version 0.1.0 --tool my-tool
  contracts pack validate --id my-pack`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprint(env.Stderr, cmd.UsageString())
			return verdict(exitFinding)
		},
	}
	cmd.AddCommand(newPackScaffoldCmd(env), newPackAuthorCmd(env), newPackValidateCmd(env), newPackGateCmd(env),
		newPackGraphCmd(env), newPackMigrateCmd(env), newPackHashCmd(env))
	return cmd
}

// in makes a path of the command line one that the system understands.
func (e *Env) in(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(e.Dir, name)
}

// packFlags say which pack a command is about.
type packFlags struct {
	id, packsRoot, packRoot string
}

func (f *packFlags) flags(cmd *cobra.Command, env *Env) {
	set := cmd.Flags()
	set.StringVar(&f.id, "id", "", "id of the pack: the folder <packs-root>/<id>")
	set.StringVar(&f.packsRoot, "packs-root", "packs", "folder that holds packs; dependencies are looked for there")
	set.StringVar(&f.packRoot, "pack-root", "", "folder of the pack; wins over --id, its neighbours are the other packs")
	complete(cmd, "id", func() []string {
		entries, _ := os.ReadDir(env.in(f.packsRoot))
		var ids []string
		for _, e := range entries {
			if e.IsDir() && packauthor.CheckID(e.Name()) == "" {
				ids = append(ids, e.Name())
			}
		}
		return ids
	})
	folders(cmd, "packs-root", "pack-root")
}

// settle returns the folder of the pack, as the user spells it, and the one that
// holds the others.
func (f *packFlags) settle(cmd *cobra.Command) (dir, others string, err error) {
	switch {
	case f.packRoot != "":
		others = filepath.Join(f.packRoot, "..")
		if cmd.Flags().Changed("packs-root") {
			others = f.packsRoot
		}
		return filepath.Clean(f.packRoot), others, nil
	case f.id == "":
		return "", "", &usageError{code: "usage.missing_option", message: cmd.CommandPath() + " needs --id or --pack-root", hint: cmd.CommandPath() + " --id my-pack"}
	}
	if fault := packauthor.CheckID(f.id); fault != "" {
		return "", "", badOption("id", fault)
	}
	return filepath.Join(f.packsRoot, f.id), f.packsRoot, nil
}

func badOption(name, fault string) error {
	return &usageError{code: "usage.bad_option_value", message: "--" + name + ": " + fault}
}

// complete offers words for an option's value.
func complete(cmd *cobra.Command, option string, words func() []string) {
	err := cmd.RegisterFlagCompletionFunc(option, func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the option does not exist
	}
}

func folders(cmd *cobra.Command, options ...string) {
	for _, o := range options {
		if err := cmd.MarkFlagDirname(o); err != nil {
			panic(err)
		}
	}
}

// hostFlags say which host the packs would meet.
type hostFlags struct{ kernel, host, adapters string }

func (f *hostFlags) flags(set *pflag.FlagSet) {
	set.StringVar(&f.kernel, "kernel-version", packauthor.KernelVersion, "running kernel version")
	set.StringVar(&f.host, "host-version", packauthor.HostVersion, "running host version")
	set.StringVar(&f.adapters, "adapters", "", "file of the host that lists its adapters; it cannot lie inside a pack")
}

// settle reads the adapters. roots are the folders of all packs that are judged by
// them.
func (f *hostFlags) settle(env *Env, roots []string) (pack.Host, error) {
	host := pack.Host{Kernel: f.kernel, Host: f.host, Adapters: pack.NewRegistry()}
	for _, v := range []struct{ option, version string }{{"kernel-version", f.kernel}, {"host-version", f.host}} {
		if fault := packauthor.CheckVersion(v.version); fault != "" {
			return host, badOption(v.option, fault)
		}
	}
	if f.adapters == "" {
		return host, nil
	}
	refuse := func(root string) error {
		return &usageError{code: "usage.adapters_inside_pack", message: fmt.Sprintf("--adapters %s lies inside the pack %s; a pack cannot vouch for itself or another", f.adapters, root),
			hint: "keep the file with the host's own configuration"}
	}
	for _, root := range roots {
		inside, err := isInside(env.in(f.adapters), env.in(root))
		if err != nil {
			return host, fmt.Errorf("read the adapters: %w", err)
		}
		if inside {
			return host, refuse(root)
		}
	}
	root, err := packAround(env.in(f.adapters))
	if err != nil {
		return host, fmt.Errorf("read the adapters: %w", err)
	}
	if root != "" {
		return host, refuse(root)
	}
	data, err := readFileAtMost(env.in(f.adapters), 1<<20)
	if err != nil {
		return host, fmt.Errorf("read the adapters: %w", err)
	}
	var list []struct {
		AdapterID string `yaml:"adapter_id"`
		Tier      string `yaml:"tier"`
		PackID    string `yaml:"pack_id"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return host, fmt.Errorf("read the adapters of %s: %w", f.adapters, err)
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return host, fmt.Errorf("read the adapters of %s: it holds more than one document", f.adapters)
	}
	for i, a := range list {
		if err := host.Adapters.Register(pack.Registration{AdapterID: a.AdapterID, Tier: pack.Tier(a.Tier), PackID: a.PackID}); err != nil {
			return host, fmt.Errorf("adapter %d of %s: %w", i+1, f.adapters, err)
		}
	}
	return host, nil
}

// isInside reports whether the file lies below the folder, by its name or by where
// its name leads.
func isInside(file, folder string) (bool, error) {
	realFile, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false, err
	}
	realFolder, err := filepath.EvalSymlinks(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // what is missing is reported elsewhere
	} else if err != nil {
		return false, err
	}
	for _, pair := range [][2]string{{file, folder}, {realFile, realFolder}, {realFile, folder}, {file, realFolder}} {
		if rel, err := filepath.Rel(pair[1], pair[0]); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true, nil
		}
	}
	return false, nil
}

// packAround returns the folder of the pack that the file lies in, by its name or by
// where its name leads, whether or not it is one of those that are judged; "" for
// none. A manifest.yaml without a pack's id is another program's.
func packAround(file string) (string, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", err
	}
	for _, name := range []string{file, real} {
		for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
			if inspect.ReadManifest(dir, "").ID != "" {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return "", nil
}

func readFileAtMost(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("%s is no regular file of at most %d bytes", name, most)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return data, err
}

// readPack parses the manifest of a folder and calls it as the user does.
func readPack(env *Env, dir string) *pack.Parsed {
	return inspect.ReadManifest(env.in(dir), inspect.ManifestName(dir))
}

// maxBatch bounds how many packs one command reads.
const maxBatch = 20_000

// withDependencies returns the packs that p needs, directly or not, as far as they
// lie in the folder, and their folders.
func withDependencies(env *Env, p *pack.Parsed, folder string) (packs []*pack.Parsed, dirs []string) {
	seen := map[string]bool{p.ID: true}
	todo := []*pack.Parsed{p}
	for len(todo) > 0 && len(packs) < maxBatch {
		next := todo[0]
		todo = todo[1:]
		for _, d := range next.Manifest().DependsOn() {
			if seen[d.ID] || packauthor.CheckID(d.ID) != "" {
				continue
			}
			seen[d.ID] = true
			dir := filepath.Join(folder, d.ID)
			if info, err := os.Lstat(env.in(dir)); err != nil || !info.IsDir() {
				continue // the gate says that it is missing
			}
			dep := readPack(env, dir)
			packs, dirs, todo = append(packs, dep), append(dirs, dir), append(todo, dep)
		}
	}
	return packs, dirs
}

// packsIn returns the folders below a folder that hold a manifest, in order.
func packsIn(env *Env, folder string) ([]string, error) {
	entries, err := os.ReadDir(env.in(folder))
	if err != nil {
		return nil, fmt.Errorf("read the packs: %w", err)
	}
	var dirs []string
	for _, e := range entries {
		dir := filepath.Join(folder, e.Name())
		if !e.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(env.in(dir), pack.ManifestFile)); err == nil {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) > maxBatch {
		return nil, fmt.Errorf("read the packs: more than %d", maxBatch)
	}
	slices.Sort(dirs)
	return dirs, nil
}

// explainCodes tells people where to read on; programs have the codes.
func explainCodes(env *Env, found pack.Diagnostics) {
	var codes []string
	for _, d := range found {
		if d.Severity == pack.Error && !slices.Contains(codes, string(d.Code)) {
			codes = append(codes, string(d.Code))
		}
	}
	for _, code := range codes {
		fmt.Fprintf(env.Stderr, "contracts explain %s\n", code)
	}
}

package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack"
)

// Options of an inspection.
type Options struct {
	Host    pack.Host      // running versions, and the adapters that vouch
	Others  []*pack.Parsed // packs that are installed beside it, its dependencies at least
	Imports ImportRules    // the zero value stands for DefaultImportRules
	Limits  Limits
	Pin     string // expected integrity; "" and "dev" compare nothing
	Publish bool   // also run the publish contract
	Name    string // directory name that the pack is published under; "" is the folder's own
	File    string // how diagnostics call the manifest; "" is its path
}

// ManifestName returns how diagnostics call the manifest of a folder.
func ManifestName(dir string) string { return filepath.ToSlash(filepath.Join(dir, pack.ManifestFile)) }

// ReadManifest reads and parses the manifest of a folder. Faults of the file are
// diagnostics of the result, as those of its text are.
func ReadManifest(dir, file string) *pack.Parsed {
	if file == "" {
		file = ManifestName(dir)
	}
	text, err := manifestText(dir)
	if err == nil {
		return pack.ParseManifest(file, text)
	}
	d := pack.Diagnostic{Code: pack.CodeManifestUnreadable, Severity: pack.Error, File: file, Message: fmt.Sprintf("%s cannot be read: %v", file, err)}
	if errors.Is(err, fs.ErrNotExist) {
		d.Code, d.Message = pack.CodeManifestMissing, file+" does not exist"
		d.Hint = "contracts pack scaffold writes one"
	}
	return &pack.Parsed{File: file, Diagnostics: pack.Diagnostics{d}}
}

// manifest is ReadManifest for a tree that was read: what is parsed is what was hashed.
func (t *Tree) manifest(file string) *pack.Parsed {
	if !t.Has(pack.ManifestFile) {
		return ReadManifest(t.Dir, file) // it is missing, a link, or beyond a limit
	}
	if file == "" {
		file = ManifestName(t.Dir)
	}
	text, err := t.ReadFile(pack.ManifestFile)
	if err != nil {
		return &pack.Parsed{File: file, Diagnostics: pack.Diagnostics{{Code: pack.CodeManifestUnreadable, Severity: pack.Error, File: file,
			Message: fmt.Sprintf("%s cannot be read: %v", file, err)}}}
	}
	return pack.ParseManifest(file, text)
}

// maxManifest is one byte more than a manifest may have.
const maxManifest = 1<<20 + 1

func manifestText(dir string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, reason(err)
	}
	defer root.Close()
	info, err := root.Lstat(pack.ManifestFile)
	if err != nil {
		return nil, reason(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	f, err := open(root, pack.ManifestFile)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxManifest))
}

// reason leaves the path out of an error; the diagnostic has it.
func reason(err error) error {
	if p, isPath := errors.AsType[*fs.PathError](err); isPath {
		return p.Err
	}
	return err
}

// Pack runs all checks over the folder of a pack. An error means that the folder
// cannot be read or that opt.Host is malformed; what is wrong with the pack is in the
// report. Nothing of the pack is run and nothing is written.
func Pack(dir string, opt Options) (*Report, error) {
	if opt.Imports.KernelPackages == nil && opt.Imports.Packages == nil {
		opt.Imports = DefaultImportRules()
	}
	tree, err := Read(dir, opt.Limits)
	if err != nil {
		return nil, err
	}
	parsed := tree.manifest(opt.File)
	r := newReport()
	r.Pack = Identity{ID: parsed.ID, Version: parsed.Manifest().Version()}
	r.settle(CheckManifest, parsed.Diagnostics)
	entries := entriesOf(parsed.Manifest())
	r.settle(CheckImports, inFiles(parsed, tree.Imports(opt.Imports, modulesOf(entries)...)))
	r.settle(CheckIntegrity, integrity(parsed, tree, opt.Pin))
	r.Integrity, _ = tree.Integrity()
	if parsed.Accepted() {
		r.settle(CheckEntries, resolve(parsed, dir, entries))
		r.settle(CheckLint, Lint(parsed))
		if opt.Publish {
			r.settle(CheckPublish, publish(parsed, tree, entries, opt))
		}
		found, err := pack.ValidateRegistration(append([]*pack.Parsed{parsed}, opt.Others...), opt.Host)
		if err != nil {
			return nil, err
		}
		r.settle(CheckRegistration, found)
	}
	r.Result = "failed"
	if r.Passed() {
		r.Result = "passed"
	}
	return r, nil
}

// inFiles makes diagnostics of faults.
func inFiles(p *pack.Parsed, faults []Fault) pack.Diagnostics {
	var out pack.Diagnostics
	for _, f := range faults {
		out = append(out, pack.Diagnostic{Code: pack.Code(f.Code), Severity: pack.Error, Pack: p.ID, Message: f.Message, File: f.File, Line: f.Line})
	}
	return out
}

func integrity(p *pack.Parsed, tree *Tree, pin string) pack.Diagnostics {
	out := inFiles(p, tree.Faults())
	if hash, ok := tree.Integrity(); ok && pin != "" && pin != "dev" && pin != hash {
		out = append(out, pack.Diagnostic{Code: "PACK_INTEGRITY_MISMATCH", Severity: pack.Error, Pack: p.ID,
			Message: fmt.Sprintf("the files hash to %s;\n%s is expected", hash, pin), Hint: "take the pack as it was pinned, or review it and pin it anew"})
	}
	return out
}

// entry is a place in the manifest that names a file of the pack.
type entry struct {
	at   string // JSON Pointer
	text string
}

func entriesOf(m *pack.Manifest) []entry {
	var out []entry
	for i, t := range toolsOf(m) {
		out = append(out, entry{fmt.Sprintf("/tools/%d/entry", i), t.Entry})
	}
	doc, isV2 := m.Document()
	if !isV2 {
		return out
	}
	for _, f := range []struct {
		at   string
		text string
	}{{"/capability_factory", doc.CapabilityFactory.Or("")}, {"/policy_factory", doc.PolicyFactory.Or("")}} {
		if f.text != "" {
			out = append(out, entry(f))
		}
	}
	for i, c := range doc.CLICommands {
		if c.NamedEntry != nil && c.NamedEntry.Entry.Or("") != "" {
			out = append(out, entry{fmt.Sprintf("/cli_commands/%d/entry", i), c.NamedEntry.Entry.Or("")})
		}
	}
	for i, c := range doc.MCPTools {
		if c.NamedEntry != nil && c.NamedEntry.Entry.Or("") != "" {
			out = append(out, entry{fmt.Sprintf("/mcp_tools/%d/entry", i), c.NamedEntry.Entry.Or("")})
		}
	}
	if schema, has := doc.ConfigSchema.Get(); has {
		out = append(out, entry{"/config_schema", schema})
	}
	return out
}

// modulesOf returns the code files that entries lead to.
func modulesOf(entries []entry) []string {
	var out []string
	for _, e := range entries {
		if module, _, fault := SplitEntry(e.text); fault.Code == "" && codeFile.MatchString(module) {
			out = append(out, module)
		}
	}
	return out
}

func resolve(p *pack.Parsed, dir string, entries []entry) pack.Diagnostics {
	var out pack.Diagnostics
	position := p.Positions()
	for _, e := range entries {
		if _, _, fault := ResolveEntry(dir, e.text); fault.Code != "" {
			line, col := position(e.at)
			out = append(out, pack.Diagnostic{Code: pack.Code(fault.Code), Severity: pack.Error, Pack: p.ID, Path: e.at,
				Message: fault.Message, File: p.File, Line: line, Col: col})
		}
	}
	return out
}

// PlaceholderPublisher returns the publisher that scaffold fills in for a pack.
func PlaceholderPublisher(packID string) (id, name string) {
	words := strings.Split(packID, "-")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return packID, strings.Join(words, " ")
}

func publish(p *pack.Parsed, tree *Tree, entries []entry, opt Options) pack.Diagnostics {
	var out pack.Diagnostics
	position := p.Positions()
	add := func(severity pack.Severity, code pack.Code, at, hint, format string, args ...any) {
		line, col := position(at)
		out = append(out, pack.Diagnostic{Code: code, Severity: severity, Pack: p.ID, Path: at, Message: fmt.Sprintf(format, args...),
			Hint: hint, File: p.File, Line: line, Col: col})
	}
	m := p.Manifest()
	doc, isV2 := m.Document()
	if !isV2 {
		add(pack.Error, pack.CodeContractVersion, "/contract_version", "", "only contract v2 packs can be published")
		return out
	}
	if id, name := PlaceholderPublisher(m.ID()); doc.Publisher.ID == id && doc.Publisher.Name == name {
		add(pack.Error, "PACK_PUBLISH_PUBLISHER", "/publisher", "say who publishes the pack", "the publisher is still the placeholder of the scaffold")
	}
	if strings.Contains(m.Version(), "+") {
		add(pack.Error, "PACK_PUBLISH_VERSION", "/version", "", "the version %q has a build part; registries cannot tell such versions apart", m.Version())
	}
	name := opt.Name
	if name == "" {
		if full, err := filepath.Abs(tree.Dir); err == nil {
			name = path.Base(filepath.ToSlash(full))
		}
	}
	if name != m.ID() {
		add(pack.Error, "PACK_PUBLISH_ID", "/id", "", "the pack %q lies in a folder of the name %q", m.ID(), name)
	}
	for _, e := range entries {
		if module, _, fault := SplitEntry(e.text); fault.Code == "" && !tree.Has(module) {
			add(pack.Error, "PACK_PUBLISH_ENTRY_EXCLUDED", e.at, "", "the entry %q is not among the files that are published", e.text)
		}
	}
	for _, f := range tree.Faults() {
		if f.Code == "PACK_INTEGRITY_FILE_KIND" {
			add(pack.Error, "PACK_PUBLISH_FILE_KIND", "", "", "%s", f.Message)
		}
	}
	if !slices.ContainsFunc(tree.Files, func(f File) bool { return f.Path == "README.md" }) {
		add(pack.Warning, "PACK_PUBLISH_README", "", "", "there is no README.md")
	}
	return out
}

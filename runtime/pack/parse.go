package pack

import (
	"bytes"

	packschema "github.com/contractkit/contractkit/generated/go/pack"
	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack/internal/tree"
)

// ManifestFile is the name of the manifest at the root of a pack.
const ManifestFile = "manifest.yaml"

// Parsed is the verdict on one manifest. Its fields are for reports; what is
// registered is the [Manifest] behind it, which cannot be changed.
type Parsed struct {
	// Of the manifest; when there is none, only the prefix is filled in. It stands first
	// so that it lies in as few pieces of memory as it can.
	card gateCard

	File        string // as given to ParseManifest
	ID          string // "" when it cannot be read
	Contract    int    // 1, 2, or 0 when it is neither or cannot be read
	Tier        Tier   // effective tier; "" when Contract is 0
	Diagnostics Diagnostics

	id       string // what the gate goes by; ID may be overwritten
	manifest *Manifest
	text     []byte // kept for Position; a tree would be many times as large
}

// Accepted reports whether the manifest has no errors.
func (p *Parsed) Accepted() bool { return p != nil && p.manifest != nil }

// Manifest returns the accepted manifest; nil when it was rejected.
func (p *Parsed) Manifest() *Manifest {
	if p == nil {
		return nil
	}
	return p.manifest
}

// Position returns where the value at a JSON Pointer stands, counted from 1, the
// column in bytes; for what is missing, where its parent stands. It is 0, 0 when
// the text is no YAML.
//
// It reads the text once more, every time: [Parsed.Positions] is for many places.
func (p *Parsed) Position(pointer string) (line, col int) { return p.Positions()(pointer) }

// Positions returns a function that does what Position does, and reads the text
// only once, when it is first called. It is not safe for concurrent use.
func (p *Parsed) Positions() func(pointer string) (line, col int) {
	var root *tree.Node
	read := false
	return func(pointer string) (line, col int) {
		if !read {
			read = true
			if tree, faults := tree.Parse(p.text); len(faults) == 0 {
				root = tree
			}
		}
		if root == nil {
			return 0, 0
		}
		_, pos := root.At(pointer)
		return pos.Line, pos.Col
	}
}

// ParseManifest reads the text of one manifest.yaml, at most 1 MiB of UTF-8, and
// reports everything that can be said about it without knowing the host or other
// packs. file is only for messages. It reads nothing but text, and never fails in
// another way than by diagnostics.
func ParseManifest(file string, text []byte) *Parsed {
	r := &reader{out: &Parsed{File: file}}
	r.read(text)
	return r.out
}

// reader is one run of ParseManifest.
type reader struct {
	out      *Parsed
	root     *tree.Node
	tier     Tier
	origin   tierOrigin
	bad      map[string]bool // pointers that the schema found fault with
	rejected bool
	errors   int
	warnings int
}

// Bounds on the diagnostics of one manifest: a hostile one could otherwise
// produce more than it has bytes.
const (
	maxErrors   = 500
	maxWarnings = 100
)

func (r *reader) read(text []byte) {
	root, faults := tree.Parse(text)
	for _, f := range faults {
		r.add(Diagnostic{Code: CodeYAMLInvalid, Message: f.Message, Hint: f.Hint, Line: f.Pos.Line, Col: f.Pos.Col})
	}
	if len(faults) > 0 {
		return
	}
	r.root, r.out.text = root, bytes.Clone(text)
	if root.Kind != tree.Map {
		r.report(Diagnostic{Code: CodeSchema, Message: "the manifest must be a mapping, not " + root.Kind.String(),
			Hint: `begin with "id: my-pack"`, Data: Data{Keyword: "type"}})
		return
	}
	if id, ok := root.Get("id").Str(); ok {
		r.out.ID, r.out.id, r.out.card.prefix = id, id, prefixOf(id)
	}
	r.contract()
	doc := tree.AppendJSON(nil, root)
	r.schema(doc)
	r.unknownKeys()
	if r.out.Contract == 2 {
		for _, rule := range manifestRules {
			rule.check(r)
		}
	}
	if !r.rejected {
		r.out.manifest = newManifest(r, doc)
	}
}

// contract finds the contract version and, for contract v2, the effective tier.
func (r *reader) contract() {
	declared := r.root.Get("contract_version")
	switch {
	case declared == nil:
		r.out.Contract, r.out.Tier = 1, Declarative
	case declared.Kind == tree.Number && contract.EqualNumbers([]byte(declared.Text), []byte("2")):
		r.tier, r.origin = effectiveTier(r.root.Get("trust_tier"))
		r.out.Contract, r.out.Tier = 2, r.tier
	default:
		r.report(Diagnostic{Code: CodeContractVersion, Path: "/contract_version",
			Message: r.name() + " declares contract_version " + written(declared) + "; it must be the number 2",
			Hint:    upgradeHint})
	}
}

const upgradeHint = `declare "contract_version: 2" with publisher (id, name) and compatibility (kernel, host);
a pack with executables also needs trust_tier "trusted-host-adapter" or "isolated" and an adapter_id`

// check returns the issues of the manifest's JSON form under its schema.
func (r *reader) check(doc []byte) contract.Issues {
	if r.out.Contract == 2 {
		return packschema.ValidateManifest(doc)
	}
	return packschema.ValidateManifestV1(doc)
}

// name opens a message: the pack by its id, or the manifest when it has none.
func (r *reader) name() string {
	if r.out.id == "" {
		return "The manifest"
	}
	return "Pack " + quote(r.out.id)
}

// report adds d with the position of its path. What will be left out anyway is not
// looked up: that takes as long as a mapping has members.
func (r *reader) report(d Diagnostic) {
	if r.spent(d.Severity) {
		r.add(d) // it is only counted; finding its place may take long
		return
	}
	_, pos := r.root.At(d.Path)
	d.Line, d.Col = pos.Line, pos.Col
	r.add(d)
}

// spent reports whether no more diagnostics of a severity are kept.
func (r *reader) spent(s Severity) bool {
	if s == Warning {
		return r.warnings >= maxWarnings
	}
	return r.errors >= maxErrors
}

func (r *reader) add(d Diagnostic) {
	d.File, d.Pack = r.out.File, r.out.id
	if d.Severity == "" {
		d.Severity = Error
	}
	if d.Severity == Error {
		r.rejected = true
		if r.errors++; r.errors > maxErrors {
			return
		}
	} else if r.warnings++; r.warnings > maxWarnings {
		return
	}
	r.out.Diagnostics = append(r.out.Diagnostics, d)
}

// written shows a value the way a message can: as compact JSON, cut when long.
func written(n *tree.Node) string {
	switch n.Kind {
	case tree.String:
		return quote(n.Text)
	case tree.List, tree.Map:
		return n.Kind.String()
	}
	text := string(tree.AppendJSON(nil, n))
	if len(text) > 40 { // a number of many digits
		return text[:40] + "…"
	}
	return text
}

package packauthor

import (
	"embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"text/template"

	"github.com/contractkit/contractkit/runtime/pack/inspect"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// File is a file of a pack, or with nil Data a folder.
type File struct {
	Path string // slash-separated, below the pack's root
	Data []byte
}

//go:embed template
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"json": jsonText, "file": fileOf}).ParseFS(templateFiles, "template/*"))

// Fill sets what nobody has said to its default.
func (h *Header) Fill() {
	id, name := inspect.PlaceholderPublisher(h.ID)
	if h.PublisherID == "" {
		h.PublisherID = id
	}
	if h.PublisherName == "" {
		h.PublisherName = name
	}
	if h.KernelRange == "" {
		h.KernelRange = majorOf(KernelVersion)
	}
	if h.HostRange == "" {
		h.HostRange = majorOf(HostVersion)
	}
}

func majorOf(version string) string {
	v, err := semrange.ParseVersion(version)
	if err != nil {
		panic(err) // a constant
	}
	return fmt.Sprintf("^%d.0.0", v.Major())
}

// Check returns everything that is wrong with the header, which must be filled.
func (h *Header) Check() []string {
	var faults []string
	for _, fault := range []string{CheckID(h.ID), CheckVersion(h.Version), CheckRange(h.KernelRange), CheckRange(h.HostRange)} {
		if fault != "" {
			faults = append(faults, fault)
		}
	}
	if strings.TrimSpace(h.PublisherID) == "" || strings.TrimSpace(h.PublisherName) == "" {
		faults = append(faults, "the publisher needs an id and a name")
	}
	if len(h.TaskTypes) == 0 || slices.ContainsFunc(h.TaskTypes, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		faults = append(faults, "there must be a task type, and none may be empty")
	}
	return faults
}

// Scaffold returns the files of a pack with a stub for each tool, ordered by path.
// The header must be filled and checked.
func Scaffold(h Header, tools []string) ([]File, []string) {
	faults := h.Check()
	for _, name := range tools {
		if fault := CheckTool(name); fault != "" {
			faults = append(faults, fault)
		}
	}
	if a, b, found := sameFile(tools); found {
		faults = append(faults, fmt.Sprintf("the tools %q and %q would share the file %s", a, b, fileOf(a)))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	var entries []tool
	for _, name := range tools {
		entries = append(entries, tool{name: name, permission: "read",
			scope: []member{{"type", "path"}, {"pattern", "**"}, {"access", "read"}}})
	}
	files := common(h, entries)
	for _, name := range tools {
		files = append(files,
			File{"tool-impl/" + fileOf(name), render("stub.ts.tmpl", h, entry{Name: name})},
			File{"tools/" + fileOf(name), render("reexport.ts.tmpl", h, entry{Name: name})})
	}
	return ordered(files), nil
}

// common are the files that every pack has.
func common(h Header, tools []tool) []File {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	return []File{{"manifest.yaml", manifest(h, tools)}, {"README.md", render("README.md.tmpl", h, entry{Names: names})},
		{"tool-impl", nil}, {"tools", nil}}
}

func ordered(files []File) []File {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// entry is what a template is told about a tool.
type entry struct {
	Header
	Name      string
	Names     []string // of all tools
	Template  string
	Pattern   string
	URLs      []string
	TimeoutMS int
	MaxBytes  int
}

func (e entry) Export() string { return exportOf(e.Name) }
func (e entry) Module() string { return strings.TrimSuffix(fileOf(e.Name), ".ts") }

func render(name string, h Header, e entry) []byte {
	e.Header = h
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, e); err != nil {
		panic(fmt.Sprintf("packauthor: %s: %v", name, err)) // all of it is ours
	}
	return []byte(b.String())
}

func lines(s string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n")
}

package inspect

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// ImportRules say what the code of a pack may load besides its own files and
// Node's own modules.
type ImportRules struct {
	// KernelPackages may be imported, also below their name. Other packages of the
	// scopes that they stand in are refused by their own code.
	KernelPackages []string

	// Packages may be imported by exactly these names.
	Packages []string
}

// DefaultImportRules allow the kernel's package under its two names.
func DefaultImportRules() ImportRules {
	return ImportRules{KernelPackages: []string{"@hellmai/lumenflow-kernel", "@lumenflow/kernel"}}
}

// kernelScopes are refused whatever KernelPackages says.
var kernelScopes = []string{"@hellmai/", "@lumenflow/"}

var (
	codeFile = regexp.MustCompile(`\.(?:[cm]?[jt]s|[jt]sx)$`)
	testFile = regexp.MustCompile(`\.(?:test|spec)\.(?:[cm]?[jt]s|[jt]sx)$`)
	jsxFile  = regexp.MustCompile(`\.[jt]sx$`)
)

// isScanned reports whether the imports of the file count.
func isScanned(name string) bool {
	return codeFile.MatchString(name) && !testFile.MatchString(name) && !strings.Contains("/"+name, "/__tests__/")
}

// Imports looks at what the code of the pack loads. All offences are reported, up to
// some 1,000, in order of file and line. Files that cannot be read are faults as well. Tests are
// left out, but for the files in entries, which a host would load.
func (t *Tree) Imports(rules ImportRules, entries ...string) []Fault {
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return []Fault{{Code: "PACK_IMPORT_UNREADABLE", Message: "the pack's folder cannot be read"}}
	}
	defer root.Close()
	var faults []Fault
	for _, f := range t.Files {
		if !isScanned(f.Path) && !slices.Contains(entries, f.Path) {
			continue
		}
		data, err := t.read(root, f)
		if err != nil {
			faults = append(faults, Fault{Code: "PACK_IMPORT_UNREADABLE", File: f.Path, Message: fmt.Sprintf("%q cannot be read", f.Path)})
			continue
		}
		faults = append(faults, importsOf(f.Path, string(data), rules)...)
		if len(faults) > maxImportFaults {
			last := faults[maxImportFaults]
			last.Message = fmt.Sprintf("%.300s; what is wrong behind it is left out", last.Message)
			return append(faults[:maxImportFaults:maxImportFaults], last)
		}
	}
	return faults
}

// maxImportFaults bounds a report: a hostile file has room for a million offences.
const maxImportFaults = 1000

// ImportsOf looks at one file. name is its path below the pack's root; files that
// hold no code, and tests, have no faults.
func ImportsOf(name, source string, rules ImportRules) []Fault {
	if !isScanned(name) {
		return nil
	}
	return importsOf(name, source, rules)
}

func importsOf(name, source string, rules ImportRules) []Fault {
	loads, ok := scanLoads(source, jsxFile.MatchString(name))
	if !ok {
		return []Fault{{Code: "PACK_IMPORT_UNREADABLE", File: name,
			Message: fmt.Sprintf("%q is written so that nobody can tell what it imports", name)}}
	}
	var faults []Fault
	for _, l := range loads {
		if f, bad := rules.judge(name, l); bad {
			f.File, f.Line = name, l.line
			if faults = append(faults, f); len(faults) > maxImportFaults {
				break
			}
		}
	}
	return faults
}

func (r ImportRules) judge(file string, l load) (Fault, bool) {
	s := l.specifier
	fault := func(code, why string) (Fault, bool) {
		return Fault{Code: code, Value: s, Message: fmt.Sprintf("%s:%d imports %q: %s", file, l.line, s, why)}, true
	}
	switch {
	case l.dynamic:
		return Fault{Code: "PACK_IMPORT_DYNAMIC", Message: fmt.Sprintf(
			"%s:%d loads a module whose name is worked out at run time; write it as one string", file, l.line)}, true
	case strings.HasPrefix(s, "node:") || slices.Contains(nodeModules, s):
		return Fault{}, false
	case isPath(s):
		if leaves(file, s) {
			return fault("PACK_IMPORT_OUTSIDE_ROOT", "it lies outside of the pack")
		}
		if to := path.Join(path.Dir(file), asURL(s)); isUnchecked(to) {
			return fault("PACK_IMPORT_EXCLUDED", "neither the integrity hash nor this check covers it")
		}
		return Fault{}, false
	}
	for _, k := range r.KernelPackages {
		rest, found := strings.CutPrefix(s, k)
		if found && (rest == "" || strings.HasPrefix(rest, "/") && !leaves("", "./"+rest)) {
			return Fault{}, false
		}
	}
	scopes := slices.Clone(kernelScopes)
	for _, k := range r.KernelPackages {
		if scope, _, scoped := strings.Cut(k, "/"); scoped && strings.HasPrefix(scope, "@") {
			scopes = append(scopes, scope+"/")
		}
	}
	for _, scope := range scopes {
		if strings.HasPrefix(s, scope) {
			return fault("PACK_IMPORT_FORBIDDEN_SCOPE", "of that scope only the kernel may be imported: "+strings.Join(r.KernelPackages, ", "))
		}
	}
	if slices.Contains(r.Packages, s) {
		return Fault{}, false
	}
	return fault("PACK_IMPORT_BARE", "a pack may import its own files, Node's modules and the kernel")
}

// isUnchecked reports whether a path below the root, perhaps without its ending, is
// one that the hash or the scan leaves out.
func isUnchecked(name string) bool {
	top, _, below := strings.Cut(name, "/")
	return below && slices.Contains(excludedFolders, top) || strings.Contains("/"+name+"/", "/__tests__/") ||
		testFile.MatchString(name) || strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".spec")
}

func isPath(s string) bool {
	s = asURL(s)
	return strings.HasPrefix(s, "/") || s == "." || s == ".." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
}

// leaves reports whether a path, seen from the file, is outside of the root.
func leaves(file, s string) bool {
	s = asURL(s)
	if strings.HasPrefix(s, "/") {
		return true
	}
	to := path.Join(path.Dir(file), s)
	return to == ".." || strings.HasPrefix(to, "../")
}

// asURL undoes what loaders do to a specifier before they look at its dots: they
// read it as a URL.
func asURL(s string) string {
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(s)
	for _, dot := range []string{"%2e", "%2E"} {
		s = strings.ReplaceAll(s, dot, ".")
	}
	for _, slash := range []string{"%2f", "%2F", "%5c", "%5C"} {
		s = strings.ReplaceAll(s, slash, "/")
	}
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	return s
}

// nodeModules are the names of Node's own modules.
var nodeModules = strings.Fields(`assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram
	diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path
	path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
	stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
	worker_threads zlib`)

package inspect

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// SplitEntry takes an entry apart: module and, behind the first "#", export. The
// module comes back cleaned. fault is the zero Fault when the entry is well formed
// and stays inside the pack.
func SplitEntry(entry string) (module, export string, fault Fault) {
	bad := func(code, why string) (string, string, Fault) {
		return "", "", Fault{Code: code, Value: entry, Message: fmt.Sprintf("the entry %q %s", entry, why)}
	}
	module, export, hasExport := strings.Cut(entry, "#")
	switch {
	case strings.TrimSpace(module) == "":
		return bad("PACK_ENTRY_MODULE_EMPTY", "names no file")
	case hasExport && strings.TrimSpace(export) == "":
		return bad("PACK_ENTRY_EXPORT_EMPTY", `names no export behind its "#"`)
	case strings.Contains(module, `\`), strings.ContainsRune(module, 0):
		return bad("PACK_ENTRY_OUTSIDE_ROOT", "must be a path with forward slashes")
	case path.IsAbs(module), len(module) > 1 && module[1] == ':':
		return bad("PACK_ENTRY_OUTSIDE_ROOT", "must be a path below the pack's root")
	}
	module = path.Clean(module)
	if module == ".." || strings.HasPrefix(module, "../") {
		return bad("PACK_ENTRY_OUTSIDE_ROOT", "leads out of the pack")
	}
	return module, export, Fault{}
}

// ResolveEntry is SplitEntry and a look at the disk below dir: the module must be a
// regular file that no symbolic link leads to.
func ResolveEntry(dir, entry string) (module, export string, fault Fault) {
	module, export, fault = SplitEntry(entry)
	if fault.Code != "" {
		return "", "", fault
	}
	bad := func(code, why string) (string, string, Fault) {
		return "", "", Fault{Code: code, File: module, Value: entry, Message: fmt.Sprintf("the entry %q %s", entry, why)}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return bad("PACK_ENTRY_MISSING", "cannot be looked for: the pack's folder is unreadable")
	}
	defer root.Close()
	var info fs.FileInfo
	for i := 0; i <= len(module); i++ { // every folder on the way may be a link
		if i < len(module) && module[i] != '/' {
			continue
		}
		if info, err = root.Lstat(module[:i]); err != nil {
			return bad("PACK_ENTRY_MISSING", "leads to no file")
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return bad("PACK_ENTRY_OUTSIDE_ROOT", fmt.Sprintf("goes through the symbolic link %q", module[:i]))
		}
	}
	if !info.Mode().IsRegular() {
		return bad("PACK_ENTRY_MISSING", "leads to no regular file")
	}
	return module, export, Fault{}
}

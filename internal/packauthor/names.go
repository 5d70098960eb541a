// Package packauthor writes the files of new packs: scaffold's start with stubs, and
// author's tools made from templates. It works in memory; [Write] puts a result on
// the disk.
package packauthor

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// The versions of kernel and host whose contract this program checks by. A host that
// runs others says so with --kernel-version and --host-version.
const (
	KernelVersion = "6.0.0"
	HostVersion   = "6.0.0"
)

var (
	packID   = regexp.MustCompile(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	toolName = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[:-][a-z][a-z0-9-]*)*$`)
)

// Bounds on names, which become names of files.
const (
	maxID   = 100 // bytes
	maxTool = 100
)

// CheckID reports what is wrong with a pack's id; "" is nothing.
func CheckID(id string) string {
	if len(id) > maxID || !packID.MatchString(id) {
		return fmt.Sprintf("%.200q cannot be a pack's id: use small letters, digits and single hyphens, a letter first, at most %d", id, maxID)
	}
	return ""
}

// CheckVersion reports what is wrong with a version; "" is nothing.
func CheckVersion(version string) string {
	if _, err := semrange.ParseVersion(version); err != nil {
		return fmt.Sprintf("%.200q is no version: use three numbers, such as 0.1.0", version)
	}
	return ""
}

// CheckTool reports what is wrong with a tool's name; "" is nothing.
func CheckTool(name string) string {
	if len(name) > maxTool || !toolName.MatchString(name) {
		return fmt.Sprintf("%.200q cannot be a tool's name: use small letters and digits, words joined by hyphens or colons, at most %d", name, maxTool)
	}
	return ""
}

// CheckRange reports what is wrong with a range; "" is nothing.
func CheckRange(text string) string {
	if _, err := semrange.ParseRange(text); err != nil {
		return fmt.Sprintf("%.200q is no version range: write one such as ^6.0.0", text)
	}
	return ""
}

// fileOf returns the base name of a tool's files.
func fileOf(tool string) string { return strings.ReplaceAll(tool, ":", "-") + ".ts" }

// exportOf returns the name of a tool's function.
func exportOf(tool string) string {
	var b strings.Builder
	for i, word := range strings.FieldsFunc(tool, func(r rune) bool { return r == '-' || r == ':' }) {
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String() + "Tool"
}

// sameFile returns two tools that would share a file.
func sameFile(tools []string) (a, b string, found bool) {
	seen := map[string]string{}
	for _, t := range tools {
		if other, taken := seen[fileOf(t)]; taken {
			return other, t, true
		}
		seen[fileOf(t)] = t
	}
	return "", "", false
}

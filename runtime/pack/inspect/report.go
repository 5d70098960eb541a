package inspect

import (
	"slices"
	"strings"

	"github.com/contractkit/contractkit/runtime/pack"
)

// Status is what came of a check.
type Status string

// The statuses.
const (
	Pass Status = "PASS"
	Fail Status = "FAIL"
	Skip Status = "SKIP"
)

// The ids of the checks, in the order of a report.
const (
	CheckManifest     = "manifest"
	CheckImports      = "imports"
	CheckEntries      = "entries"
	CheckLint         = "lint"
	CheckIntegrity    = "integrity"
	CheckPublish      = "publish"
	CheckRegistration = "registration"
)

var checkNames = map[string]string{
	CheckManifest: "Manifest schema", CheckImports: "Import boundaries", CheckEntries: "Tool entry resolution", CheckLint: "Security lint",
	CheckIntegrity: "Integrity hash", CheckPublish: "Publish contract", CheckRegistration: "Contract v2 registration",
}

// Report is the verdict on a pack's folder.
type Report struct {
	Format    string   `json:"format" jsonschema:"enum=pack-report/1"`
	Pack      Identity `json:"pack"`
	Checks    []Check  `json:"checks" jsonschema_description:"Always the same seven, in order."`
	Integrity string   `json:"integrity,omitempty" jsonschema_description:"sha256:… over the files of the pack; missing when that check failed."`
	Result    string   `json:"result" jsonschema:"enum=passed,enum=failed"`
}

// Identity is who a pack says it is; empty where the manifest cannot be read.
type Identity struct {
	ID      string `json:"id"`
	Version string `json:"version"`
}

// Check is one check of a report.
type Check struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Status      Status           `json:"status" jsonschema:"enum=PASS,enum=FAIL,enum=SKIP"`
	Diagnostics pack.Diagnostics `json:"diagnostics"`
}

func newReport() *Report {
	r := &Report{Format: "pack-report/1"}
	for _, id := range []string{CheckManifest, CheckImports, CheckEntries, CheckLint, CheckIntegrity, CheckPublish, CheckRegistration} {
		r.Checks = append(r.Checks, Check{ID: id, Name: checkNames[id], Status: Skip, Diagnostics: pack.Diagnostics{}})
	}
	return r
}

// Check returns the check with an id.
func (r *Report) Check(id string) *Check {
	i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.ID == id })
	if i < 0 {
		return &Check{}
	}
	return &r.Checks[i]
}

// settle notes that a check has run.
func (r *Report) settle(id string, found pack.Diagnostics) {
	c := r.Check(id)
	c.Status = Pass
	if found.HasErrors() {
		c.Status = Fail
	}
	c.Diagnostics = append(c.Diagnostics, found...)
}

// Passed reports whether every check passed; the publish contract may have been
// skipped.
func (r *Report) Passed() bool {
	for _, c := range r.Checks {
		if c.Status != Pass && (c.ID != CheckPublish || c.Status != Skip) {
			return false
		}
	}
	return true
}

// Blocked reports whether an author has something to put right: any check failed but
// the last two, which others decide.
func (r *Report) Blocked() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool {
		return c.Status == Fail && c.ID != CheckPublish && c.ID != CheckRegistration
	})
}

// Text is the report for people.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString("Pack Validation Report\n=====================\n\n")
	for _, c := range r.Checks {
		b.WriteString("  [" + string(c.Status) + "] " + c.Name + "\n")
		if c.Status != Fail {
			continue
		}
		indent := "         Error: "
		for _, d := range c.Diagnostics {
			if d.Severity != pack.Error {
				continue
			}
			for line := range strings.SplitSeq(d.Message, "\n") {
				b.WriteString(indent + visible(line) + "\n")
				indent = "                "
			}
		}
	}
	if r.Passed() {
		b.WriteString("\nResult: ALL CHECKS PASSED\n")
	} else {
		b.WriteString("\nResult: VALIDATION FAILED\n")
	}
	return b.String()
}

// visible keeps what a pack is called from giving orders to a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			return '\uFFFD'
		}
		return r
	}, s)
}

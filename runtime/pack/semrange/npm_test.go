package semrange

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const npmScript = `
const semver = require(process.argv[1]);
let text = "";
process.stdin.on("data", d => text += d).on("end", () => {
  const {ranges, versions} = JSON.parse(text);
  console.log(JSON.stringify(ranges.map(r => semver.validRange(r) === null ? null : versions.map(v => semver.satisfies(v, r)))));
});`

// npmSemver finds the semver package that npm itself is built on, or skips.
func npmSemver(t *testing.T) (node, pkg string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node: ranges are not compared with npm's semver")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm: ranges are not compared with its semver")
	}
	out, err := exec.Command(npm, "root", "--global").Output()
	if err != nil {
		t.Skipf("npm root: %v", err)
	}
	pkg = filepath.Join(strings.TrimSpace(string(out)), "npm", "node_modules", "semver")
	// Before 7.8 npm read a number after an x as one more x.
	const probe = `process.exit(require(process.argv[1]).validRange("6.x.0") === null ? 0 : 1)`
	if err := exec.Command(node, "-e", probe, pkg).Run(); err != nil {
		t.Skipf("npm's semver package cannot be loaded, or is too old: %v", err)
	}
	return node, pkg
}

// chosen are the spellings that npm lets pass and ParseRange refuses on purpose.
var chosen = regexp.MustCompile(`^\s*$|^\s*\|\||\|\|\s*(\|\||$)` + // an empty alternative
	`|[=v^~]\s*=|[<>]=?\s*=|v\s*v|[<>]\s+=` + // = and v more than once, or apart from their operator
	`|~\s+>|~>\s*>` +
	`|=[^|]*\s-\s|\s-\s+[v\s]*=` + // an operator in a hyphen range
	`|=[<>]` +
	`|[0-9A-Za-z+-]\*|\*(\+[0-9A-Za-z.-]*)?[=0-9]` + // npm takes one star out of any text
	`|(^|[\s|<>=~^v])\+` + // a build part without a version, which leaves an empty text
	`|9007199254740992` + // a number that is too large, even where an x makes it meaningless
	`|[^\x00-\x7f]`) // blanks beyond ASCII

// versionsNPM are held against every range: the neighbours of all numbers that randomRanges writes.
var versionsNPM = strings.Fields("0.0.0 0.0.0-0 0.0.0-a 0.0.1 0.0.2 0.0.2-a 0.1.0 0.1.0-0 0.1.0-a.1 0.1.1 0.2.0 0.2.0-rc.2 1.0.0-0 1.0.0-1 1.0.0-a 1.0.0 1.0.1-a 1.0.1 1.1.0-rc.2 " +
	"1.1.0 1.1.1 1.1.1-a.1 1.2.0 1.2.3 1.3.0 1.10.0 2.0.0-0 2.0.0-a 2.0.0 2.0.0+b 2.1.0 2.1.1-a-b 2.2.2 2.3.1 3.0.0-rc.2 3.0.0 3.1.2 4.0.0-0 4.0.0 10.0.0 10.10.10 11.0.0-0 9007199254740991.0.0")

// tally counts the ranges of a run by verdict, and the wrong verdicts among them.
type tally struct{ ranges, valid, refused, wrong int }

// TestAgainstNPM compares random ranges with npm's own verdict: one batch of
// 20,000, or as many as fit into the duration that SEMRANGE_NPM gives (then with
// -timeout above it). SEMRANGE_SEED is a number that replaces the usual seed.
func TestAgainstNPM(t *testing.T) {
	node, pkg := npmSemver(t)
	var length time.Duration
	if s := os.Getenv("SEMRANGE_NPM"); s != "" {
		var err error
		if length, err = time.ParseDuration(s); err != nil {
			t.Fatalf("SEMRANGE_NPM: %v", err)
		}
	}
	seed := uint64(7)
	if s := os.Getenv("SEMRANGE_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 0, 64); err != nil {
			t.Fatalf("SEMRANGE_SEED: %v", err)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 11))
	var sum tally
	for start := time.Now(); sum.ranges == 0 || time.Since(start) < length; {
		compareNPM(t, node, pkg, randomRanges(rng, 20_000), &sum)
	}
	t.Logf("%d ranges: %d valid, each held against %d versions (%d verdicts), %d refused here on purpose, the rest refused by both",
		sum.ranges, sum.valid, len(versionsNPM), sum.valid*len(versionsNPM), sum.refused)
}

// randomRanges returns n ranges, sound ones and noise.
func randomRanges(rng *rand.Rand, n int) []string {
	// Most ranges are made of the first, sound half of each list; one letter in a
	// text of noise would make nearly all of them invalid.
	noise := false
	pick := func(list ...string) string {
		if !noise {
			list = list[:(len(list)+1)/2]
		}
		return list[rng.IntN(len(list))]
	}
	number := func() string {
		return pick("0", "0", "1", "1", "2", "3", "10", "x", "X", "01", "9007199254740991", "9007199254740992", "", "*", "-1", "1a")
	}
	pre := func() string {
		return pick("", "", "", "", "-0", "-1", "-a", "-a.1", "-rc.2", "+b", "-a+b.1", "-a-b", "-a.b.c", "-01", "-", "-a..b", "+", "-_", "-é", "-a.", "+a..b", "--", "-0.0")
	}
	version := func() string {
		s := pick("", "", "", "v", "=", "V", "vv", " ") + number()
		parts := 2
		if noise || rng.IntN(3) == 0 {
			parts = rng.IntN(4)
		}
		for range parts {
			s += "." + number()
		}
		if !noise && parts != 2 {
			return s
		}
		return s + pre()
	}
	comparator := func() string {
		return pick("", "^", "^", "~", "~>", ">", ">=", "<", "<=", "= ", "> ", "^ ", "~ ", ">= ", "=", "==", "=>", "!=", "=<", "> =", "~ >", "^=", "~=", "!", "^^", "<>", "><", "~~") + version()
	}
	alternative := func() string {
		if rng.IntN(5) == 0 {
			return comparator() + pick(" - ", "  -  ", "\t- ", " -", "- ", "-") + version()
		}
		s := comparator()
		for range rng.IntN(3) {
			s += pick(" ", "  ", "\t", ",", "", "&") + comparator()
		}
		return s
	}
	ranges := make([]string, n)
	for i := range ranges {
		noise = rng.IntN(4) == 0
		s := alternative()
		for range rng.IntN(3) {
			s += pick("||", " || ", "|| ", "|", "|||", "|| ||") + alternative()
		}
		ranges[i] = s
	}
	return ranges
}

// compareNPM reports each range on which ParseRange or Contains differs from npm.
func compareNPM(t *testing.T, node, pkg string, ranges []string, sum *tally) {
	t.Helper()
	text, err := json.Marshal(map[string][]string{"ranges": ranges, "versions": versionsNPM})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", npmScript, pkg)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want [][]bool
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	for i, s := range ranges {
		sum.ranges++
		r, err := ParseRange(s)
		switch {
		case err != nil && want[i] == nil:
		case err != nil && chosen.MatchString(s):
			sum.refused++
		case err != nil:
			sum.wrong++
			t.Errorf("%q: npm takes it, %v", s, err)
		case want[i] == nil:
			sum.wrong++
			t.Errorf("%q: npm refuses it", s)
		default:
			sum.valid++
			for j, text := range versionsNPM {
				v, err := ParseVersion(text)
				if err != nil {
					t.Fatal(err)
				}
				if r.Contains(v) != want[i][j] {
					sum.wrong++
					t.Errorf("%q holds %s: npm says %v", s, text, want[i][j])
					break
				}
			}
		}
		if sum.wrong > 20 {
			t.FailNow()
		}
	}
}

package cel

import (
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Texts that a rule makes from texts that it made end before they fill the memory.
func TestMadeTextsAreBounded(t *testing.T) {
	const most = 4 * DefaultSteps // bytes of text that one rule can have made
	letters := strings.Repeat("abcd", 1<<10)
	for name, grow := range map[string]func(c *Ctx, v Val) Val{
		"add":           func(c *Ctx, v Val) Val { return c.Add(v, v) },
		"bytes":         func(c *Ctx, v Val) Val { return c.ToString(c.Add(c.ToBytes(v), c.ToBytes(v))) },
		"replace":       func(c *Ctx, v Val) Val { return c.Replace(v, String("a"), v) },
		"replace all":   func(c *Ctx, v Val) Val { return c.Replace(v, String(""), v) },
		"join":          func(c *Ctx, v Val) Val { return c.Join(List([]Val{v, v, v}), v) },
		"split":         func(c *Ctx, v Val) Val { return c.Join(c.Split(v, String("")), v) },
		"format":        func(c *Ctx, v Val) Val { return c.Format(String("%s%s%s"), List([]Val{v, v, v})) },
		"format itself": func(c *Ctx, v Val) Val { return c.Format(c.Add(v, String("%s%s")), List([]Val{v, v})) },
		"format maps": func(c *Ctx, v Val) Val {
			return c.Format(String("%s"), List([]Val{MapOf([]Val{v}, []Val{List([]Val{v, v})})}))
		},
		"regex":        func(c *Ctx, v Val) Val { return c.RegexReplace(v, String("[a-z]"), v) },
		"regex groups": func(c *Ctx, v Val) Val { return c.RegexReplace(v, String("(?s)(.*)"), String(`\1\1\1`)) },
		"canonical":    func(c *Ctx, v Val) Val { return c.Canonical(List([]Val{v, v})) },
		"quote":        func(c *Ctx, v Val) Val { return c.StringsQuote(c.Add(v, v)) },
	} {
		c := open(t, `{}`)
		v, made, rounds := String(letters), 0, 0
		for ; !v.IsErr() && rounds < 10_000; rounds++ {
			v = grow(c, v)
			made += len(v.str)
		}
		if v.ErrText() != errLimit.str || made > 2*most {
			t.Errorf("%s: %d bytes after %d rounds, %q", name, made, rounds, v.ErrText())
		}
	}
}

// A pattern that looks through the whole rest of a text for each match ends too.
func TestManyMatches(t *testing.T) {
	text := String(strings.Repeat("a", 300_000))
	for name, f := range map[string]func(c *Ctx) Val{
		"findAll":    func(c *Ctx) Val { return c.FindAll(text, String("a.*b|a")) },
		"extractAll": func(c *Ctx) Val { return c.RegexExtractAll(text, String("a.*b|a")) },
		"replace":    func(c *Ctx) Val { return c.RegexReplace(text, String("a.*b|a"), String("x")) },
	} {
		c := open(t, `{}`)
		c.SetSteps(1_000_000)
		start := time.Now()
		if got := f(c); got.ErrText() != errLimit.str {
			t.Errorf("%s: %q", name, got.ErrText())
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s takes %v", name, d)
		}
	}
	c := open(t, `{}`)
	words := String(strings.Repeat("word ", 2000))
	if n := c.Size(c.FindAll(words, String("[a-z]+"))); n.int() != 2000 {
		t.Errorf("%d words", n.int())
	}
	if n := c.Size(c.FindAll(words, String("[a-z]+"), Int(700))); n.int() != 700 {
		t.Errorf("%d of the words", n.int())
	}
	if n := c.Size(c.FindAll(words, String("[a-z]+"), Int(0))); n.int() != 0 {
		t.Errorf("%d words of none", n.int())
	}
}

// All rules of a document together have a budget: where it is spent, one issue says so
// and is the last.
func TestBudgetOfADocument(t *testing.T) {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load([]byte(`{"a":[1,2]}`), contract.Limits{}); issues != nil {
		t.Fatal(issues)
	}
	r := NewRun(v, nil)
	defer r.release()
	r.SetSteps(1000)
	defer r.SetSteps(0)
	holds := 0
	for range 100 { // rules at places
		r.Refill()
		if r.spend(900) {
			holds++
			continue
		}
		r.Violated(contract.Root, "t.x", "", "bad", "/a")
	}
	if most := maxBudgets * 1000 / 900; holds < most-1 || holds > most+2 {
		t.Errorf("%d rules had steps", holds)
	}
	if n := len(r.issues); n != 1 || !strings.HasSuffix(r.issues[0].Message, spentMessage) || r.issues[0].Path != "/a" {
		t.Errorf("%d issues: %v", n, r.issues)
	}
	// The next document starts afresh.
	r.Reset(&v.Doc)
	if r.Refill(); !r.spend(900) {
		t.Error("no steps for the next document")
	}
	// Rules that are broken with what was left do not go on either.
	for range 100 {
		r.Refill()
		for i := 0; i < 1000 && r.spend(100); i++ {
			r.issues = nil
			r.Violated(contract.Root, "t.x", "", "bad", "/b")
		}
	}
	if r.total > (maxBudgets+2)*1000 {
		t.Errorf("%d steps in all", r.total)
	}
}

// The message says where a rule could not be evaluated: its loop failed, or it took all
// its steps.
func TestFailedEvaluation(t *testing.T) {
	const failed = "bad (the rule could not be evaluated)"
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load([]byte(`{}`), contract.Limits{}); issues != nil {
		t.Fatal(issues)
	}
	r := NewRun(v, nil)
	defer r.release()
	for name, f := range map[string]func(){
		"false":            func() { r.Violated(contract.Root, "t.false", "", "bad", "") },
		"failed":           func() { r.Failed(contract.Root, "t.failed", "", "bad", "") },
		"spent":            func() { r.spend(2 * DefaultSteps); r.Violated(contract.Root, "t.spent", "", "bad", "") },
		"spent and failed": func() { r.spend(2 * DefaultSteps); r.Failed(contract.Root, "t.both", "", "bad", "") },
	} {
		r.Reset(&v.Doc)
		r.issues = nil
		f()
		want := failed
		if name == "false" {
			want = "bad"
		}
		if len(r.issues) != 1 || r.issues[0].Message != want {
			t.Errorf("%s: %v", name, r.issues)
		}
	}
}

// A list of documents ends at the first whose rules could not all be evaluated.
func TestListEndsWithTheBudget(t *testing.T) {
	calls := 0
	validate := func([]byte) contract.Issues {
		calls++
		return contract.Issues{{Code: "t.x", Message: "bad" + spentMessage}}
	}
	docs := [][]byte{[]byte("1"), []byte("2"), []byte("3")}
	if issues := ValidateHistory(docs, nil, nil, validate, nil, nil); calls != 1 || len(issues) != 1 {
		t.Errorf("%d calls, %v", calls, issues)
	}
	if issues := ValidateSet(docs, nil, nil, validate, nil); calls != 2 || len(issues) != 1 || issues[0].Path != "/0" {
		t.Errorf("%d calls, %v", calls, issues)
	}
}

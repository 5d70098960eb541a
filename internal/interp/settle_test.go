package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/interp"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// settled returns the model of a schema, with what was said of its defaults.
func settled(t *testing.T, text string, opt model.Options) (*model.Model, diag.List) {
	t.Helper()
	doc, err := source.Parse("a.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("a", set, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opt.Contract = "a"
	m, problems := model.Build(g, opt)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return m, interp.Settle(m)
}

func TestSettle(t *testing.T) {
	const ( // beginnings of messages
		own   = "is not filled in, for its own schema excludes it: "
		there = "is not filled in, for the schema of the member m excludes it: "
		mark  = "the schema excludes its own default "
	)
	for _, c := range []struct{ member, filled, said string }{
		{`{"enum":["x","y"],"default":"x"}`, `"x"`, ""},
		{`{"enum":["x","y"],"default":"z"}`, "", "/properties/m/default: the default \"z\" " + own + `must be one of "x", "y"`},
		{`{"type":"string","minLength":2,"default":"a"}`, "", `/properties/m/default: the default "a" ` + own + "must have at least 2 characters"},
		{`{"type":"integer","default":1.5}`, "", "/properties/m/default: the default 1.5 " + own + "must be an integer, not a number with a fraction"},
		{`{"type":"integer","default":1.0}`, "1.0", ""},
		{`{"type":"integer","default":123456789012345678901234567890}`, "123456789012345678901234567890", ""},
		{`{"type":"string","default":null}`, "", "/properties/m/default: the default null " + own + "must be a string, not null"},
		{`{"type":["string","null"],"default":null}`, "null", ""},
		{`{"not":{},"default":1}`, "", "/properties/m/default: the default 1 " + own + "is not allowed here"},
		{`{"$ref":"#/$defs/n"}`, "5", ""},
		{`{"$ref":"#/$defs/n","default":4}`, "4", ""},
		{`{"$ref":"#/$defs/n","default":"4"}`, "", `/properties/m/default: the default "4" ` + own + "must be an integer, not a string"},
		{`{"$ref":"#/$defs/n","maximum":4}`, "", "/$defs/n/default: the default 5 " + there + "must be at most 4"},
		{`{"allOf":[{"$ref":"#/$defs/n"}],"default":6}`, "6", ""},
		{`{"anyOf":[{"type":"integer","default":"x"},{"type":"string"}]}`, "", `/properties/m/anyOf/0/default: ` + mark + `"x": must be an integer, not a string`},
		{`{"type":"array","items":{"type":"string","default":1},"default":[]}`, "[]", "/properties/m/items/default: " + mark + "1: must be a string, not a number"},
		{`{"type":"string","x-normalize":["trim"],"maxLength":1,"default":" a "}`, `"a"`, ""},
		{`{"type":"string","format":"date","default":"soon"}`, `"soon"`, ""},
		{`{"type":"object","properties":{"a":{"type":"integer","default":"x"},"b":{"default":1}},"default":{}}`, `{"b":1}`, `/properties/m/properties/a/default: the default "x" ` + own + "must be an integer, not a string"},
		{`{"type":"object","required":["a"],"properties":{"a":{"default":1}},"default":{}}`, "", `/properties/m/default: the default {} ` + own + `/a: the member "a" is missing`},
		{`{"type":"object","minProperties":1,"properties":{"a":{"default":1}},"default":{}}`, `{"a":1}`, ""},
	} {
		m, list := settled(t, `{"type":"object","properties":{"m":`+c.member+`},"$defs":{"n":{"type":"integer","default":5}}}`, model.Options{})
		f := &m.Type(m.Schema(m.Documents[0].Root).Use.Type).Fields[0]
		if f.Filled != c.filled || (f.Default == nil) != (c.filled == "") {
			t.Errorf("%s is filled in with %s, want %s (%v)", c.member, f.Filled, c.filled, f.Default)
		}
		var said []string
		for _, d := range list {
			said = append(said, d.Pointer+": "+d.Message)
			if d.Severity != diag.Warning || d.Pos.Line != 1 || d.Pos.Col == 0 || d.Hint == "" {
				t.Errorf("%s: %+v", c.member, d)
			}
		}
		if got := strings.Join(said, "\n"); got != c.said {
			t.Errorf("%s\n got %s\nwant %s", c.member, got, c.said)
		}
	}
}

// Formats count where they are assertions.
func TestSettleFormat(t *testing.T) {
	m, list := settled(t, `{"type":"object","properties":{"m":{"type":"string","format":"date","default":"soon"}}}`, model.Options{AssertFormat: true})
	if f := m.Type(m.Schema(m.Documents[0].Root).Use.Type).Fields[0]; f.Default != nil || len(list) != 1 {
		t.Errorf("%v %v", f.Default, list)
	}
}

// TestSettleEnds holds that defaults which hold each other twice, and twice again, do not
// grow with the power of two.
func TestSettleEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{"m":{"$ref":"#/$defs/d0","default":{}}},"$defs":{`)
	const depth = 60
	for i := range depth {
		fmt.Fprintf(&b, `"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d","default":{}},"b":{"$ref":"#/$defs/d%d","default":{}}}},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"object"}}}`, depth)
	m, list := settled(t, b.String(), model.Options{})
	if len(list) == 0 {
		t.Error("nothing is said")
	}
	in, err := interp.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if out := in.Complete(m.Documents[0].Root, []byte(`{}`)); len(out) > 2<<20 {
		t.Errorf("%d bytes", len(out))
	}
}

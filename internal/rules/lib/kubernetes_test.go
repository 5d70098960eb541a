package lib

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"

	"github.com/contractkit/contractkit/internal/testkit/shared"
	"github.com/contractkit/contractkit/runtime/contract"
	rt "github.com/contractkit/contractkit/runtime/contract/cel"
)

// crdSchema is what the rules of a custom resource need of its schema.
type crdSchema struct {
	Type, Format         string
	Properties           map[string]*crdSchema
	Items                *crdSchema
	AdditionalProperties json.RawMessage // a schema or a bool
	IntOrString          bool            `json:"x-kubernetes-int-or-string"`
	Embedded             bool            `json:"x-kubernetes-embedded-resource"`
	PreserveUnknown      bool            `json:"x-kubernetes-preserve-unknown-fields"`
	ListType             string          `json:"x-kubernetes-list-type"`
	ListKeys             []string        `json:"x-kubernetes-list-map-keys"`
	Rules                []crdRule       `json:"x-kubernetes-validations"`

	shape *rt.Shape
	at    string
	free  *crdSchema
}

type crdRule struct {
	Rule            string
	OptionalOldSelf bool

	ast *cel.Ast
	old bool // uses oldSelf
}

// prepare parses the rules and makes the shapes.
func (s *crdSchema) prepare(t *testing.T, env *cel.Env, at string) {
	s.at = at
	for i := range s.Rules {
		a, issues := env.Parse(s.Rules[i].Rule)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		s.Rules[i].ast, s.Rules[i].old = a, strings.Contains(s.Rules[i].Rule, "oldSelf")
	}
	s.shape = &rt.Shape{Kind: shapeKinds[s.Type+" "+s.Format]}
	if s.shape.Kind == rt.ShapeDyn && s.Type != "" {
		s.shape.Kind = shapeKinds[s.Type+" "]
	}
	if s.IntOrString {
		s.shape.Kind = rt.ShapeDyn
	}
	if s.Items != nil {
		s.Items.prepare(t, env, at+"/items")
		s.shape.Elem = s.Items.shape
	}
	if len(s.AdditionalProperties) > 0 && s.AdditionalProperties[0] == '{' {
		s.free = new(crdSchema)
		if err := json.Unmarshal(s.AdditionalProperties, s.free); err != nil {
			t.Fatal(err)
		}
		s.free.prepare(t, env, at+"/additionalProperties")
		s.shape.Kind, s.shape.Elem = rt.ShapeMap, s.free.shape
	}
	for name, p := range s.Properties {
		p.prepare(t, env, at+"/properties/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
		s.shape.Fields = append(s.shape.Fields, rt.Field{Name: name, Shape: p.shape})
	}
	sort.Slice(s.shape.Fields, func(i, j int) bool { return s.shape.Fields[i].Name < s.shape.Fields[j].Name })
	if s.PreserveUnknown || s.Embedded || at == "" {
		s.shape.Rest = rt.Dyn
	}
	for _, f := range s.shape.Fields {
		if f.Name == "metadata" && (s.Embedded || at == "") {
			f.Shape.Rest = rt.Dyn
		}
	}
}

var shapeKinds = map[string]rt.ShapeKind{
	"boolean ": rt.ShapeBool, "integer ": rt.ShapeInt, "number ": rt.ShapeDouble, "string ": rt.ShapeString, "array ": rt.ShapeList, "object ": rt.ShapeObject,
	"string date-time": rt.ShapeTimestamp, "string date": rt.ShapeDate, "string duration": rt.ShapeDuration, "string byte": rt.ShapeBytes,
}

// judge runs the rules of a schema and of those below it, and collects the pointers of
// those that are broken.
type judge struct {
	ctx    *rt.Ctx
	docs   [2]*contract.Doc // the document and the old one
	broken []string
}

const absent = contract.Node(-1)

func (j *judge) value(s *crdSchema, n, old contract.Node) {
	d := j.docs[0]
	if d.Kind(n) == contract.Null {
		return
	}
	if old != absent && j.docs[1].Kind(old) == contract.Null {
		old = absent
	}
	for i := range s.Rules {
		if r := &s.Rules[i]; !r.old || old != absent || r.OptionalOldSelf {
			j.rule(s, r, i, n, old)
		}
	}
	switch {
	case d.Kind(n) == contract.Array && s.Items != nil:
		for e, end := n+1, d.Next(n); e < end; e = d.Next(e) {
			j.value(s.Items, e, j.counterpart(s, e, old))
		}
	case d.Kind(n) == contract.Object:
		for k, end := n+1, d.Next(n); k < end; k = d.Next(k + 1) {
			name := string(d.Text(k))
			member := s.Properties[name]
			if member == nil {
				member = s.free
			}
			if member == nil {
				continue
			}
			before := absent
			if old != absent {
				if m, ok := j.docs[1].Member(old, name); ok {
					before = m
				}
			}
			j.value(member, k+1, before)
		}
	}
}

// counterpart finds the old element of a list that is a map by keys.
func (j *judge) counterpart(s *crdSchema, e, old contract.Node) contract.Node {
	if s.ListType != "map" || old == absent || j.docs[1].Kind(old) != contract.Array {
		return absent
	}
	key := func(d *contract.Doc, n contract.Node) string {
		var parts []string
		for _, k := range s.ListKeys {
			if m, ok := d.Member(n, k); ok {
				parts = append(parts, string(d.Raw(m)))
			} else {
				parts = append(parts, "")
			}
		}
		return strings.Join(parts, "\x00")
	}
	want, o := key(j.docs[0], e), j.docs[1]
	for x, end := old+1, o.Next(old); x < end; x = o.Next(x) {
		if key(o, x) == want {
			return x
		}
	}
	return absent
}

func (j *judge) rule(s *crdSchema, r *crdRule, i int, n, old contract.Node) {
	j.ctx.Refill()
	vars := map[string]rt.Val{"self": j.ctx.FromDoc(0, n, s.shape)}
	if old != absent {
		vars["oldSelf"] = j.ctx.FromDoc(1, old, s.shape)
	}
	if r.OptionalOldSelf {
		vars["oldSelf"] = rt.None()
		if old != absent {
			vars["oldSelf"] = rt.Some(j.ctx.FromDoc(1, old, s.shape))
		}
	}
	w := walker{ctx: j.ctx, vars: vars, fieldName: unescapeField}
	if result := w.eval(r.ast.NativeRep().Expr()); !result.IsTrue() {
		j.broken = append(j.broken, fmt.Sprintf("%s/x-kubernetes-validations/%d", s.at, i))
	}
}

var fieldEscapes = strings.NewReplacer("__underscores__", "__", "__dot__", ".", "__dash__", "-", "__slash__", "/")

func unescapeField(name string) string {
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") && len(name) > 4 && !strings.Contains(name[2:len(name)-2], "__") {
		return name[2 : len(name)-2]
	}
	return fieldEscapes.Replace(name)
}

// TestKubernetesRules judges the documents of real custom resources, whose verdicts an
// API server gave.
func TestKubernetesRules(t *testing.T) {
	root := shared.Path(t, "cel-rules")
	env, err := Base()
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*crdSchema{}
	f, err := os.Open(filepath.Join(root, "cases.ndjson.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 16<<20)
	count, wrong := 0, 0
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var tc struct {
			ID, CRD     string
			Doc, OldDoc json.RawMessage
			Violations  []struct{ RuleAt string }
		}
		if err := json.Unmarshal(lines.Bytes(), &tc); err != nil {
			t.Fatal(err)
		}
		s := schemas[tc.CRD]
		if s == nil {
			data, err := os.ReadFile(filepath.Join(root, "crds", tc.CRD+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var crd struct{ Schema *crdSchema }
			if err := json.Unmarshal(data, &crd); err != nil {
				t.Fatal(err)
			}
			s = crd.Schema
			s.prepare(t, env, "")
			schemas[tc.CRD] = s
		}
		j := judge{ctx: new(rt.Ctx), docs: [2]*contract.Doc{{}, {}}}
		old := absent
		if err := j.docs[0].Parse(tc.Doc, contract.Limits{MaxBytes: 1 << 24, MaxDepth: 1000}); err != nil {
			t.Fatal(err)
		}
		if len(tc.OldDoc) > 0 {
			old = contract.Root
			if err := j.docs[1].Parse(tc.OldDoc, contract.Limits{MaxBytes: 1 << 24, MaxDepth: 1000}); err != nil {
				t.Fatal(err)
			}
		}
		j.ctx.Reset(j.docs[0], j.docs[1])
		j.value(s, contract.Root, old)
		var want []string
		for _, v := range tc.Violations {
			want = append(want, v.RuleAt)
		}
		slices.Sort(want)
		slices.Sort(j.broken)
		if count++; !slices.Equal(want, j.broken) {
			if wrong++; wrong < 20 {
				t.Errorf("%s\n got  %v\n want %v", tc.ID, j.broken, want)
			}
		}
	}
	t.Logf("%d of %d documents judged as by the API server", count-wrong, count)
	if lines.Err() != nil || count == 0 {
		t.Errorf("read %d cases: %v", count, lines.Err())
	}
}

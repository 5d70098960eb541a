package config

import (
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// v1File is the project file, version 1. The tags also make its JSON Schema.
type v1File struct {
	Version    int          `json:"version" jsonschema:"required,enum=1" jsonschema_description:"Version of this file's format."`
	Runtime    Text         `json:"runtime" jsonschema:"enum=vendor,enum=import,default=vendor" jsonschema_description:"How generated Go code gets the package it calls: vendor copies it to runtimeDir, import imports contractkit's module."`
	RuntimeDir Text         `json:"runtimeDir" jsonschema:"default=generated/go/contract" jsonschema_description:"Folder that the runtime package is copied to with runtime: vendor."`
	GoModule   Text         `json:"goModule" jsonschema_description:"Go import path of this folder. Default: the module of the nearest go.mod."`
	Contracts  []v1Contract `json:"contracts" jsonschema:"required,minItems=1" jsonschema_description:"Sets of schemas."`
	Targets    []v1Target   `json:"targets" jsonschema_description:"What to generate."`
	Limits     v1Limits     `json:"limits" jsonschema_description:"Bounds on what is read."`
}

type v1Contract struct {
	Name          Text `json:"name" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$" jsonschema_description:"Name of the contract: a lower-case word."`
	Schemas       Text `json:"schemas" jsonschema:"required,minLength=1" jsonschema_description:"Folder of the schemas: every .json, .yaml and .yml file below it."`
	Dispatch      Text `json:"dispatch" jsonschema:"minLength=1" jsonschema_description:"Member whose const names a document's schema."`
	AssertFormat  bool `json:"assertFormat" jsonschema:"default=false" jsonschema_description:"Whether format is an assertion, not just an annotation."`
	AssertContent bool `json:"assertContent" jsonschema:"default=false" jsonschema_description:"Whether contentEncoding and contentMediaType are assertions, not just annotations."`
	Invariants    Text `json:"invariants" jsonschema:"minLength=1" jsonschema_description:"File with the contract's CEL rules."`
}

type v1Target struct {
	Use      Text          `json:"use" jsonschema:"required,minLength=1" jsonschema_description:"Name of the target, for example go-types."`
	Contract Text          `json:"contract" jsonschema_description:"Name of the contract; may be left out when there is one."`
	Out      Text          `json:"out" jsonschema:"required,minLength=1" jsonschema_description:"Folder that the files are written to."`
	Options  *source.Value `json:"options" jsonschema_description:"Options of the target."`
}

type v1Limits struct {
	MaxFileBytes int64 `json:"maxFileBytes" jsonschema:"minimum=1,maximum=1073741824" jsonschema_description:"Largest file, in bytes. Default: 16777216."`
	MaxDepth     int   `json:"maxDepth" jsonschema:"minimum=1,maximum=5000" jsonschema_description:"Deepest nesting of values. Default: 256."`
	MaxFiles     int   `json:"maxFiles" jsonschema:"minimum=1,maximum=1000000" jsonschema_description:"Most files of a contract. Default: 20000."`
}

var contractName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// readV1 decodes and checks a file of version 1.
func readV1(d *decoder, root *source.Value) *Project {
	var file v1File
	d.decode(root, reflect.ValueOf(&file).Elem(), "")
	p := &Project{Version: 1, Runtime: Vendor, RuntimeDir: file.RuntimeDir, GoModule: file.GoModule,
		Limits: source.Limits{MaxFileBytes: file.Limits.MaxFileBytes, MaxDepth: file.Limits.MaxDepth, MaxFiles: file.Limits.MaxFiles}}
	if p.GoModule.Pointer == "" {
		p.GoModule.Pos = root.Pos
	}
	switch Runtime(file.Runtime.Value) {
	case Vendor, Import:
		p.Runtime = Runtime(file.Runtime.Value)
	default:
		if file.Runtime.Pointer != "" {
			d.value(file.Runtime, fmt.Sprintf("the runtime %s is not known", quote(file.Runtime.Value)), "write vendor or import")
		}
	}
	if p.RuntimeDir.Pointer == "" {
		p.RuntimeDir = Text{Value: "generated/go/contract", Pos: root.Pos}
	}
	d.path(&p.RuntimeDir)
	d.limits(root.Get("limits"), file.Limits)
	d.contracts(p, file.Contracts, root)
	d.targets(p, file.Targets, root)
	return p
}

func (d *decoder) contracts(p *Project, contracts []v1Contract, root *source.Value) {
	if list := root.Get("contracts"); list != nil && list.Kind == source.Array && len(list.Items) == 0 {
		d.add(list.Pos, "/contracts", "config.value", "there is no contract", "name a contract and the folder of its schemas")
	}
	first := map[string]Text{}
	for _, c := range contracts {
		d.path(&c.Schemas)
		d.path(&c.Invariants)
		d.nonEmpty(c.Dispatch)
		if name := c.Name; name.Pointer != "" {
			if !contractName.MatchString(name.Value) {
				d.value(name, fmt.Sprintf("%s is not a name for a contract", quote(name.Value)), "use lower-case letters, digits and hyphens, and a letter first")
			} else if other, taken := first[name.Value]; taken {
				d.list.Add(diag.Diagnostic{Code: "config.duplicate", Pos: name.Pos, Pointer: name.Pointer,
					Message: fmt.Sprintf("two contracts are called %s", quote(name.Value)), Hint: "rename one of the two",
					Related: []diag.Related{{Pos: other.Pos, Message: "the first one"}}})
			} else {
				first[name.Value] = name
			}
		}
		p.Contracts = append(p.Contracts, Contract(c))
	}
}

func (d *decoder) targets(p *Project, targets []v1Target, root *source.Value) {
	var names []string
	for _, c := range p.Contracts {
		names = append(names, c.Name.Value)
	}
	for i, t := range targets {
		at := root.Get("targets").Items[i]
		pointer := fmt.Sprintf("/targets/%d", i)
		d.nonEmpty(t.Use)
		d.path(&t.Out)
		if t.Options != nil && t.Options.Kind != source.Object {
			d.wrongType(t.Options, pointer+"/options", "an object")
		}
		switch {
		case t.Contract.Pointer == "" && len(names) == 1:
			t.Contract = Text{Value: names[0], Pos: at.Pos, Pointer: pointer}
		case t.Contract.Pointer == "" && len(names) > 1 && at.Kind == source.Object && at.Get("contract") == nil:
			d.add(at.Pos, pointer, "config.missing", `"contract" is missing`, "there are several: name one of "+strings.Join(names, ", "))
		case t.Contract.Pointer != "" && p.Contract(t.Contract.Value) == nil:
			hint := "declare it under contracts"
			if best := spelling.Closest(t.Contract.Value, names); best != "" {
				hint = fmt.Sprintf("did you mean %s?", quote(best))
			}
			d.value(t.Contract, fmt.Sprintf("no contract is called %s", quote(t.Contract.Value)), hint)
		}
		p.Targets = append(p.Targets, Target{Use: t.Use, Contract: t.Contract, Out: t.Out, Options: t.Options, Pos: at.Pos, Pointer: pointer})
	}
}

func (d *decoder) limits(at *source.Value, l v1Limits) {
	check := func(name string, value, most int64) {
		v := at.Get(name)
		if v == nil || v.Kind != source.Number || strconv.FormatInt(value, 10) != v.Text || value >= 1 && value <= most {
			return // absent, reported already, or fine
		}
		d.add(v.Pos, "/limits/"+name, "config.value", fmt.Sprintf("%s lies outside 1 to %d", quote(v.Text), most), "")
	}
	check("maxFileBytes", l.MaxFileBytes, 1<<30)
	check("maxDepth", int64(l.MaxDepth), 5000)
	check("maxFiles", int64(l.MaxFiles), 1_000_000)
}

func (d *decoder) value(t Text, message, hint string) {
	d.add(t.Pos, t.Pointer, "config.value", message, hint)
}

func (d *decoder) nonEmpty(t Text) {
	if t.Pointer != "" && t.Value == "" {
		d.value(t, "the text is empty", "write a value, or remove the key")
	}
}

// path cleans a path in place and reports one that could leave the project on
// any system.
func (d *decoder) path(t *Text) {
	if t.Pointer == "" {
		return
	}
	escape := func(what, hint string) {
		d.add(t.Pos, t.Pointer, "config.path-escape", fmt.Sprintf("the path %s %s", quote(t.Value), what), hint)
	}
	const relative = "write a path relative to contracts.yaml"
	switch clean := path.Clean(t.Value); {
	case t.Value == "":
		d.nonEmpty(*t)
	case strings.Contains(t.Value, `\`):
		escape("has a backslash", "separate folders with /")
	case strings.ContainsFunc(t.Value, func(r rune) bool { return r < ' ' || r == 0x7F }):
		escape("has a control character", relative)
	case path.IsAbs(t.Value), len(t.Value) > 1 && t.Value[1] == ':':
		escape("is absolute", relative)
	case clean == "..", strings.HasPrefix(clean, "../"):
		escape("leaves the project", "keep it below the folder of contracts.yaml")
	default:
		t.Value = clean
	}
}

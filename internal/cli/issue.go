package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Issue is a fault of a document as validate reports it.
type Issue struct {
	Code     string   `json:"code" jsonschema_description:"Kind of fault, for example invalid_type; custom is a rule."`
	Rule     string   `json:"rule,omitempty" jsonschema_description:"With custom: the id of the rule."`
	Path     []any    `json:"path" jsonschema_description:"Member names and element numbers from the root."`
	Message  string   `json:"message" jsonschema_description:"For people."`
	Keys     []string `json:"keys,omitempty" jsonschema_description:"With unrecognized_keys: the members."`
	Pointer  string   `json:"pointer" jsonschema_description:"JSON Pointer to the value."`
	Keyword  string   `json:"keyword,omitempty" jsonschema_description:"The JSON Schema keyword that is broken."`
	Location string   `json:"location,omitempty" jsonschema_description:"Where the keyword stands: schema id and JSON Pointer."`
	Line     int      `json:"line,omitempty" jsonschema_description:"Line of the value, from 1."`
	Column   int      `json:"column,omitempty" jsonschema_description:"Column of the value in bytes, from 1."`
	Old      bool     `json:"old,omitempty" jsonschema_description:"With --old: the issue is in the document before, and so are its path and place."`
}

// reported turns the issues of a document into their printed form.
func reported(d document, issues contract.Issues) []Issue {
	root := d.place
	if root == nil {
		if doc, err := source.Parse("document.json", d.data, limits()); err == nil {
			root = doc.Root
		}
	}
	out := make([]Issue, 0, len(issues))
	for _, i := range issues {
		code, rule := printedCode(i)
		r := Issue{Code: code, Rule: rule, Message: i.Message, Pointer: i.Path, Keyword: i.Keyword, Location: i.Location}
		var at *source.Value
		r.Path, at = resolve(root, i.Path)
		if r.Code == "unrecognized_keys" && len(r.Path) > 0 {
			last := fmt.Sprint(r.Path[len(r.Path)-1])
			r.Path, r.Keys = r.Path[:len(r.Path)-1], []string{last}
		}
		switch {
		case at != nil:
			r.Line, r.Column = at.Pos.Line, at.Pos.Col
		case d.place == nil && i.Offset > 0 && i.Offset <= len(d.data):
			r.Line, r.Column = lineOf(d.data, i.Offset)
		}
		if d.line > 0 && r.Line > 0 {
			r.Line = d.line
		}
		out = append(out, r)
	}
	return out
}

// resolve turns a JSON Pointer into names and numbers, and finds the value or,
// when it is missing, the one around it.
func resolve(v *source.Value, pointer string) ([]any, *source.Value) {
	path := []any{}
	if pointer == "" {
		return path, v
	}
	at := v
	for token := range strings.SplitSeq(pointer[1:], "/") {
		name, _ := source.UnescapeToken(token)
		n, err := strconv.Atoi(name)
		switch {
		case v != nil && v.Kind == source.Array && err == nil && n >= 0 && n < len(v.Items):
			path, v = append(path, n), v.Items[n]
		case v != nil && v.Kind == source.Array && err == nil:
			path, v = append(path, n), nil
		default:
			path, v = append(path, name), v.Get(name)
		}
		if v != nil {
			at = v
		}
	}
	return path, at
}

func lineOf(data []byte, offset int) (line, column int) {
	before := data[:min(offset, len(data))]
	return bytes.Count(before, []byte{'\n'}) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// printedCode is the code that validate prints: the reference's codes, which are not
// those of generated code. rule is the id of a broken rule, whose code is custom.
func printedCode(i contract.Issue) (code, rule string) {
	switch i.Keyword {
	case "required", "type", "dependentRequired":
		return "invalid_type", ""
	case "const":
		return "invalid_literal", ""
	case "enum":
		return "invalid_enum_value", ""
	case "pattern", "format":
		return "invalid_string", ""
	}
	switch i.Code {
	case contract.CodeRequired:
		return "invalid_type", ""
	case contract.CodeUnknown:
		return "unrecognized_keys", ""
	case contract.CodeNot, contract.CodeValue, contract.CodeFormat, contract.CodeRule:
		return "custom", ""
	case contract.CodeSyntax, contract.CodeDuplicate, contract.CodeTooDeep, contract.CodeTooLarge, contract.CodeType, contract.CodeTooSmall,
		contract.CodeTooBig, contract.CodeUnion, contract.CodeSchemaID, contract.CodeCostly:
		return string(i.Code), ""
	}
	return "custom", string(i.Code)
}

// dotted prints a path as people read it.
func dotted(path []any) string {
	if len(path) == 0 {
		return "<root>"
	}
	parts := make([]string, len(path))
	for i, p := range path {
		parts[i] = fmt.Sprint(p)
	}
	return strings.Join(parts, ".")
}

// Package checker finds what is wrong with a document under a schema that is
// known only as a file: for commands, not for generated code.
//
// A resolved graph enters; a Checker per document leaves.
package checker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/runtime/contract"
)

// Checker finds what is wrong with a JSON document; nothing when it is valid.
// It is safe for concurrent use.
type Checker interface {
	Check(data []byte) contract.Issues
}

// Set makes the checkers of one contract.
type Set struct {
	compiler *jsonschema.Compiler
}

// New prepares the documents of g. Nothing is fetched: a reference that the graph
// does not hold is an error.
func New(g *graph.Graph, assertFormat bool) (*Set, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat = assertFormat
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is not part of the contract", url)
	}
	for _, d := range g.Documents() {
		text := source.AppendJSON(nil, d.Root.Value)
		if err := c.AddResource(d.Root.BaseURI, bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("prepare %s: %w", d.Source.Path, err)
		}
	}
	return &Set{c}, nil
}

// For returns the checker of a document of the graph.
func (s *Set) For(d *graph.Document) (Checker, error) {
	compiled, err := s.compiler.Compile(d.Root.BaseURI)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", d.Source.Path, err)
	}
	return interpreted{compiled}, nil
}

// interpreted is a schema that is walked for each document.
type interpreted struct{ schema *jsonschema.Schema }

func (c interpreted) Check(data []byte) (issues contract.Issues) {
	v := contract.Acquire()
	problems := v.Load(data, contract.Limits{})
	v.Release()
	if problems != nil {
		return problems
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return contract.Issues{{Code: contract.CodeSyntax, Message: err.Error()}}
	}
	defer func() {
		// Numbers with absurd exponents have made the library panic.
		if p := recover(); p != nil {
			issues = contract.Issues{{Code: contract.CodeTooLarge, Message: fmt.Sprintf("the document cannot be checked: %.200v", p)}}
		}
	}()
	err := c.schema.Validate(document)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		flatten(e, &issues)
	}
	if len(issues) == 0 {
		issues = contract.Issues{{Code: contract.CodeRule, Message: err.Error()}}
	}
	return issues
}

// maxIssues bounds the issues of one document.
const maxIssues = 100

// flatten collects the faults at which the search for causes ends. A union is one
// fault: why each of its alternatives fails says more than anyone can use.
func flatten(e *jsonschema.ValidationError, issues *contract.Issues) {
	keyword := e.KeywordLocation[strings.LastIndexByte(e.KeywordLocation, '/')+1:]
	union := keyword == "anyOf" || keyword == "oneOf"
	if len(e.Causes) > 0 && !union {
		for _, cause := range e.Causes {
			flatten(cause, issues)
		}
		return
	}
	issue := contract.Issue{Path: e.InstanceLocation, Code: codeOf(keyword), Keyword: keyword, Location: e.AbsoluteKeywordLocation, Message: e.Message}
	names := []string{""}
	if keyword == "required" || keyword == "additionalProperties" || keyword == "unevaluatedProperties" {
		if quoted := quotedNames(e.Message); len(quoted) > 0 {
			names = quoted
		}
	}
	for _, name := range names {
		if len(*issues) >= maxIssues {
			return
		}
		one := issue
		if name != "" {
			one.Path += "/" + source.EscapeToken(name)
			one.Message = fmt.Sprintf("the member %q is not known here", name)
			if keyword == "required" {
				one.Message = fmt.Sprintf("the member %q is missing", name)
			}
		}
		*issues = append(*issues, one)
	}
}

// quotedNames returns the names that a message of the library puts in single quotes.
func quotedNames(message string) []string {
	var names []string
	for {
		start := strings.IndexByte(message, '\'')
		if start < 0 {
			return names
		}
		var name strings.Builder
		i := start + 1
		for ; i < len(message) && message[i] != '\''; i++ {
			if message[i] == '\\' && i+1 < len(message) {
				i++
			}
			name.WriteByte(message[i])
		}
		if i >= len(message) {
			return nil
		}
		names = append(names, name.String())
		message = message[i+1:]
	}
}

func codeOf(keyword string) contract.Code {
	switch keyword {
	case "type":
		return contract.CodeType
	case "required", "dependentRequired", "dependencies":
		return contract.CodeRequired
	case "const", "enum", "multipleOf", "uniqueItems":
		return contract.CodeValue
	case "pattern", "format", "contentEncoding", "contentMediaType":
		return contract.CodeFormat
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains", "contains":
		return contract.CodeTooSmall
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains":
		return contract.CodeTooBig
	case "additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "unevaluatedItems":
		return contract.CodeUnknown
	case "anyOf", "oneOf":
		return contract.CodeUnion
	case "not":
		return contract.CodeNot
	}
	return contract.CodeRule
}

package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/runtime/contract"
)

func newEvalCmd(env *Env) *cobra.Command {
	var config, engine string
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Answer requests of a program in any language, one JSON line each",
		Long: `Answer requests of a program in any language, one JSON line each.

A request on standard input:
  {"id":1,"fn":"validate","schema":"hasna.app.v1","input":{…}}
schema may be null: then input names it. The answer on standard output:
  {"id":1,"valid":false,"issues":[{"path":"/name","code":"required","message":"…"}]}
A valid input whose parsed form differs, by defaults or normalisation, has it in
"output". Answers come in the order of requests. A line that is no request is
answered {"id":null,"valid":false,"error":"…"}.

Other functions take other inputs, {"id":2,"fn":"transition","schema":null,"input":…}:
  transition   {"previous":…,"current":…}  a change; paths of its rules lead into current
  history      {"documents":[…]}           versions of a document, oldest first
  set          {"documents":[…]}           documents that belong together
each document by itself, and all by the rules of the schema for them, if any. Of the
catalog alone: adapter_equivalence {"first":…,"second":…} of projections,
comms_tagged {"text":…,"metadata":…} of a post, and deployment.contract_set of
records, an object of lists.`,
		Example: `  echo '{"id":1,"fn":"validate","schema":null,"input":{}}' | contracts eval`,
		Args:    argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			lib := newLibrary(cmd.Context(), env, config)
			switch engine {
			case "compiled":
			case "interpreter":
				lib.interpret = true
			default:
				return &usageError{code: "usage.bad_option_value", message: "--engine is compiled or interpreter"}
			}
			return runEval(cmd.Context(), env, lib)
		},
	}
	cmd.Flags().StringVar(&engine, "engine", "compiled", "compiled, or interpreter: the project's schemas and rules, read now")
	cmd.Flags().StringVarP(&config, "config", "c", "", "project file; default: the nearest contracts.yaml, if any")
	return cmd
}

// evalRequest is one line of input. Raw values keep their text.
type evalRequest struct {
	ID     jsontext.Value `json:"id"`
	Fn     string         `json:"fn"`
	Schema *string        `json:"schema"`
	Input  jsontext.Value `json:"input"`
}

// evalAnswer is one line of output.
type evalAnswer struct {
	ID     jsontext.Value `json:"id"`
	Valid  bool           `json:"valid"`
	Issues []evalIssue    `json:"issues,omitzero"`
	Output jsontext.Value `json:"output,omitzero"`
	Error  string         `json:"error,omitzero"`
}

type evalIssue struct {
	Path    string        `json:"path"`
	Code    contract.Code `json:"code"`
	Message string        `json:"message"`
}

// lenient reads a request whose input may be anything: what is wrong with the
// input is for its contract to say, not a fault of the request.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// maxRequest bounds a line: a document and the request around it.
const maxRequest = maxDocument + 1<<16

func runEval(ctx context.Context, env *Env, lib *library) error {
	lines := newLineReader(env.Stdin, maxRequest)
	out := bufio.NewWriterSize(env.Stdout, 1<<16)
	for {
		if err := ctx.Err(); err != nil {
			return nil // asked to stop
		}
		line, err := lines.next()
		var answer evalAnswer
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLongLine):
			answer = evalAnswer{Error: fmt.Sprintf("the line has more than %d bytes", maxRequest)}
		case err != nil:
			return fmt.Errorf("read the requests: %w", err)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			answer = answerLine(lib, line)
		}
		if len(answer.ID) == 0 {
			answer.ID = jsontext.Value("null")
		}
		if err := writeAnswer(out, answer); err != nil {
			return fmt.Errorf("write the answers: %w", err)
		}
	}
}

func writeAnswer(out *bufio.Writer, answer evalAnswer) error {
	text, err := json.Marshal(answer, lenient)
	if err != nil { // the id or the output cannot be printed
		text, err = json.Marshal(evalAnswer{ID: jsontext.Value("null"), Error: "the answer cannot be written as JSON"})
		if err != nil {
			return err
		}
	}
	if _, err := out.Write(append(text, '\n')); err != nil {
		return err
	}
	return out.Flush()
}

// answerLine never fails: whatever goes wrong is part of the answer.
func answerLine(lib *library, line []byte) (a evalAnswer) {
	defer func() {
		if p := recover(); p != nil {
			a.Valid, a.Issues, a.Output, a.Error = false, nil, nil, fmt.Sprintf("internal error: %.200v", p)
		}
	}()
	req, fault := readRequest(line)
	if a.ID = req.ID; fault != "" {
		a.Error = "not a request: " + fault
		return a
	}
	function := evalFunctions[req.Fn]
	switch {
	case req.Fn != "validate" && function == nil:
		names := append(slices.Sorted(maps.Keys(evalFunctions)), "validate")
		a.Error = fmt.Sprintf("unknown fn %.100q", req.Fn) + meant(req.Fn, names)
	case req.Input == nil:
		a.Error = `the request has no "input"`
	case function != nil:
		a.call(lib, function, req.Schema, req.Input)
	default:
		a.validate(lib, req.Schema, req.Input)
	}
	return a
}

// readRequest reads a line. The id counts also where something else is wrong, which is
// then the fault. What a member of the input is twice is for its contract to say.
func readRequest(line []byte) (req evalRequest, fault string) {
	wrong := func(format string, args ...any) {
		if fault == "" {
			fault = fmt.Sprintf(format, args...)
		}
	}
	seen := map[string]bool{}
	names := []string{"id", "fn", "schema", "input"}
	broken := eachMember(line, func(name string, value jsontext.Value) {
		if seen[name] {
			wrong("it has two members %.100q", name)
			return
		}
		seen[name] = true
		switch name {
		case "id":
			req.ID = value
		case "fn":
			if json.Unmarshal(value, &req.Fn, lenient) != nil || value.Kind() != '"' {
				wrong(`"fn" has to be a string`)
			}
		case "schema":
			if json.Unmarshal(value, &req.Schema, lenient) != nil {
				wrong(`"schema" has to be a string or null`)
			}
		case "input":
			req.Input = value
		default:
			wrong("it has a member %.100q; a request has %s%s", name, inWords(names), meant(name, names))
		}
	})
	if broken != "" {
		return evalRequest{}, broken // what there is of a line may be half of another
	}
	if !seen["fn"] {
		wrong(`it has no "fn"`)
	}
	return req, fault
}

// eachMember calls do with the members of the object that text is, in their order, also
// those of one name. It returns why text is no such object, or "".
func eachMember(text []byte, do func(name string, value jsontext.Value)) (fault string) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), lenient)
	malformed := func(err error) string {
		if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			return fmt.Sprintf("not JSON from byte %d on", syntactic.ByteOffset)
		}
		return "not JSON, or not all of it" // the text ends too early
	}
	token, err := dec.ReadToken()
	switch {
	case err != nil:
		return malformed(err)
	case token.Kind() != '{':
		return "it is not an object"
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return malformed(err)
		}
		as := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return malformed(err)
		}
		do(as, bytes.Clone(value))
	}
	if _, err := dec.ReadToken(); err != nil {
		return malformed(err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return "there is more text after the object"
	}
	return ""
}

func (a *evalAnswer) validate(lib *library, schema *string, input []byte) {
	var e *entry
	var issues contract.Issues
	var err error
	if schema == nil {
		e, issues, err = lib.identify(input)
	} else if e, err = lib.find(*schema); err == nil && e == nil {
		issues = lib.unknown(*schema)
	}
	if err != nil {
		a.Error = inOneLine(err)
		return
	}
	if e != nil {
		issues = e.Check(input)
	}
	if a.verdict(issues); !a.Valid || e.parse == nil {
		return
	}
	parsed, err := e.parse(input)
	if err != nil {
		a.Valid, a.Error = false, fmt.Sprintf("valid, but cannot be parsed: %v", err)
		return
	}
	if !same(input, parsed) {
		a.Output = parsed
	}
}

// verdict stores what was found.
func (a *evalAnswer) verdict(issues contract.Issues) {
	a.Valid = len(issues) == 0
	for _, issue := range issues {
		a.Issues = append(a.Issues, evalIssue{issue.Path, issue.Code, issue.Message})
	}
}

// same compares two JSON texts by value, but numbers and strings by their text
// where the canonical form would lose some.
func same(a, b []byte) bool {
	x, y := jsontext.Value(bytes.Clone(a)), jsontext.Value(bytes.Clone(b))
	sorted := []jsontext.Options{jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true)}
	return x.Format(append(sorted, jsontext.Multiline(false))...) == nil && y.Format(append(sorted, jsontext.Multiline(false))...) == nil && bytes.Equal(x, y)
}

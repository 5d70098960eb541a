package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func testEnv(t testing.TB, in string) (*Env, *bytes.Buffer) {
	var out bytes.Buffer
	return &Env{Dir: t.TempDir(), Stdin: strings.NewReader(in), Stdout: &out, Stderr: io.Discard, Getenv: func(string) string { return "" }}, &out
}

const actor = `{"schema":"hasna.actor_ref.v1","id":"a","createdAt":"2026-06-27T10:00:00Z","kind":"agent","metadata":{"n":1e400,"m":1.10}}`

func TestEvalAnswers(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"number text survives", `{"id":1.50,"fn":"validate","schema":null,"input":` + actor + `}`,
			`{"id":1.50,"valid":true,"output":{"schema":"hasna.actor_ref.v1","id":"a","createdAt":"2026-06-27T10:00:00Z","metadata":{"m":1.10,"n":1e400},"kind":"agent","capabilities":[]}}`},
		{"any id", `{"id":{"a":[1]},"fn":"x"}`, `{"id":{"a":[1]},"valid":false,"error":"unknown fn \"x\""}`},
		{"no id", `{"fn":"x"}`, `{"id":null,"valid":false,"error":"unknown fn \"x\""}`},
		{"the id of a broken request", `{"id":3,"fn":7}`, `{"id":3,"valid":false,"error":`},
		{"an array", `[1]`, `{"id":null,"valid":false,"error":"not a request: it is not an object"}`},
		{"a member twice", `{"id":3,"fn":"validate","fn":"set"}`, `{"id":3,"valid":false,"error":"not a request: it has two members \"fn\""}`},
		{"a member that is none", `{"id":3,"fn":"validate","inptu":{}}`, `{"id":3,"valid":false,"error":"not a request: it has a member \"inptu\"; a request has \"id\", \"fn\", \"schema\" and \"input\"; did you mean \"input\"?"}`},
		{"no function", `{"id":3,"input":{}}`, `{"id":3,"valid":false,"error":"not a request: it has no \"fn\""}`},
		{"a function that is null", `{"id":3,"fn":null,"input":{}}`, `{"id":3,"valid":false,"error":"not a request: \"fn\" has to be a string"}`},
		{"a misspelt function", `{"id":3,"fn":"valdiate","input":{}}`, `{"id":3,"valid":false,"error":"unknown fn \"valdiate\"; did you mean \"validate\"?"}`},
		{"a misspelt schema", `{"id":3,"fn":"validate","schema":"hasna.actor_ref.v2","input":{}}`,
			`{"id":3,"valid":false,"issues":[{"path":"","code":"unknown_schema","message":"no schema has the id \"hasna.actor_ref.v2\"; did you mean \"hasna.actor_ref.v1\"?"}]}`},
		{"two requests", `{"id":3,"fn":"validate"} {}`, `{"id":null,"valid":false,"error":"not a request: there is more text after the object`},
		{"a merge conflict", `<<<<<<< HEAD`, `{"id":null,"valid":false,"error":"not a request: not JSON from byte 0 on"}`},
		{"half a line", `{"id":1`, `{"id":null,"valid":false,"error":`},
		{"invalid UTF-8 in the input", "{\"id\":1,\"fn\":\"validate\",\"schema\":null,\"input\":{\"schema\":\"\xff\"}}",
			`{"id":1,"valid":false,"issues":[{"path":"","code":"syntax","message":`},
		{"null is a value", `{"id":1,"fn":"validate","schema":"hasna.actor_ref.v1","input":null}`, `{"id":1,"valid":false,"issues":[{"path":"","code":"invalid_type"`},
		{"no input", `{"id":1,"fn":"validate","schema":null}`, `{"id":1,"valid":false,"error":"the request has no \"input\""}`},
	} {
		env, out := testEnv(t, tt.in+"\r\n\n")
		if err := runEval(t.Context(), env, newLibrary(t.Context(), env, "")); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasPrefix(got, tt.want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s:\ngot  %swant %s", tt.name, got, tt.want)
		}
	}
}

// slow gives one line at a time and wants its answer before the next.
type slow struct {
	lines []string
	out   *bytes.Buffer
	given int
	t     *testing.T
}

func (s *slow) Read(p []byte) (int, error) {
	if got := bytes.Count(s.out.Bytes(), []byte{'\n'}); got != s.given {
		s.t.Errorf("%d answers before request %d", got, s.given+1)
	}
	if s.given == len(s.lines) {
		return 0, io.EOF
	}
	s.given++
	return copy(p, s.lines[s.given-1]+"\n"), nil
}

func TestEvalAnswersEachLineAtOnce(t *testing.T) {
	env, out := testEnv(t, "")
	env.Stdin = &slow{lines: []string{`{"id":1}`, `x`, `{"id":3}`}, out: out, t: t}
	if err := runEval(t.Context(), env, newLibrary(t.Context(), env, "")); err != nil {
		t.Fatal(err)
	}
}

func TestLineReader(t *testing.T) {
	r := newLineReader(strings.NewReader("ab\n\n"+strings.Repeat("x", 200_000)+"\nabcdef\nabcdefg\r\nend"), 6)
	for i, want := range []string{"ab", "", "!", "abcdef", "!", "end"} {
		got, err := r.next()
		if errors.Is(err, errLongLine) {
			got = []byte("!")
		} else if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if string(got) != want {
			t.Errorf("line %d is %q, want %q", i+1, got, want)
		}
	}
	if _, err := r.next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// FuzzEval holds that every line has one answer, which is JSON with an id.
func FuzzEval(f *testing.F) {
	f.Add([]byte(`{"id":1,"fn":"validate","schema":null,"input":` + actor + `}`))
	f.Add([]byte(`{"id":1,"fn":"validate","schema":"hasna.app.v1","input":{}}`))
	f.Add([]byte(`{"id":"\ud800","fn":1}`))
	f.Add([]byte(`{"id":1,"id":2}`))
	f.Add([]byte("{\"id\":\"\xff\",\"fn\":\"validate\"}"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") {
			return
		}
		var out bytes.Buffer
		env := &Env{Dir: dir, Stdin: strings.NewReader(string(line) + "\n"), Stdout: &out, Stderr: io.Discard, Getenv: func(string) string { return "" }}
		if err := runEval(t.Context(), env, newLibrary(t.Context(), env, "")); err != nil {
			t.Fatal(err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		var answer struct {
			ID    json.RawMessage `json:"id"`
			Valid *bool           `json:"valid"`
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.ID == nil || answer.Valid == nil || bytes.Count(out.Bytes(), []byte{'\n'}) != 1 {
			t.Errorf("%q is answered %q: %v", line, out.Bytes(), err)
		}
	})
}

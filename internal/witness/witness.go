// Package witness runs the witnesses of a contract's rules through compiled Go: it
// emits the contract's packages into a folder of its own, with a program around
// them, and builds that without any module from elsewhere.
package witness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/gen/gotypes"
	"github.com/contractkit/contractkit/gen/govalidate"
	"github.com/contractkit/contractkit/internal/build"
	"github.com/contractkit/contractkit/internal/closure"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/rules"
	"github.com/contractkit/contractkit/runtime/contract"
)

// ErrNoGo says that there is no Go toolchain to compile with.
var ErrNoGo = errors.New("there is no go command in the PATH")

const module = "witness"

const program = `package main

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"

	"witness/contract"
	"witness/contract/cel"
	"witness/gen"
)

type request struct {
	Scope string
	Ref   int
	Old   json.RawMessage
	Docs  []json.RawMessage
	Rule  string // time this rule
	Times int
}

type timing struct {
	NS     float64
	Allocs float64
	Issues int
}

// measure runs one rule over a document many times.
func measure(r request) (t timing) {
	v, old := contract.Acquire(), (*contract.Validator)(nil)
	rule := gen.Rule(r.Rule)
	if rule == nil || v.Load(r.Docs[0], contract.Limits{}) != nil {
		return timing{NS: -1}
	}
	was := cel.Nowhere
	if len(r.Old) > 0 {
		old, was = contract.Acquire(), contract.Root
		if old.Load(r.Old, contract.Limits{}) != nil {
			return timing{NS: -1}
		}
	}
	run := cel.NewRun(v, old)
	rule(run, contract.Root, was)
	t.Issues = len(run.Issues())
	if t.Issues > 0 {
		return t
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := spent()
	for range r.Times {
		rule(run, contract.Root, was)
	}
	t.NS = float64(spent()-start) / float64(r.Times)
	runtime.ReadMemStats(&after)
	t.Allocs = float64(after.Mallocs-before.Mallocs) / float64(r.Times)
	return t
}

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var r request
		if in.Decode(&r) != nil {
			return
		}
		if r.Rule != "" {
			if out.Encode(measure(r)) != nil {
				return
			}
			continue
		}
		var docs [][]byte
		for _, d := range r.Docs {
			docs = append(docs, d)
		}
		issues := gen.Judge(r.Scope, r.Ref, r.Old, docs)
		if issues == nil {
			issues = contract.Issues{}
		}
		if out.Encode(issues) != nil {
			return
		}
	}
}
`

// The clock of the program, by system.
const (
	clockUnix = `//go:build unix

package main

import (
	"syscall"
	"time"
)

// spent is the processor time of this program so far, in nanoseconds: other work on
// the machine does not count. Where it is not known it is the time of day.
func spent() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Now().UnixNano()
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
`
	clockOther = `//go:build !unix

package main

import "time"

func spent() int64 { return time.Now().UnixNano() }
`
)

// Program is a compiled judge. Close removes it.
type Program struct {
	dir string
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	w   *json.Encoder
}

// Compile builds a judge for the schemas refs of m.
func Compile(ctx context.Context, m *model.Model, refs []model.Ref) (*Program, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, ErrNoGo
	}
	files, err := sources(m, refs)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "contracts-witness-")
	if err != nil {
		return nil, err
	}
	p := &Program{dir: dir}
	if err := p.start(ctx, tool, files); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func sources(m *model.Model, refs []model.Ref) ([]closure.File, error) {
	ctx := emit.Context{Runtime: module + "/contract", Renumber: true, Judge: refs}
	types, err := gotypes.Emit(m, gotypes.Options{Package: "gen"}, ctx)
	if err != nil {
		return nil, err
	}
	checks, err := govalidate.Emit(m, govalidate.Options{Package: "gen"}, ctx)
	if err != nil {
		return nil, err
	}
	runtime, err := build.RuntimeFiles(ctx.Runtime, true)
	if err != nil {
		return nil, err
	}
	files := []closure.File{
		{Path: "go.mod", Data: []byte("module " + module + "\n\ngo 1.26\n")},
		{Path: "main.go", Data: []byte(program)},
		{Path: "clock_unix.go", Data: []byte(clockUnix)},
		{Path: "clock_other.go", Data: []byte(clockOther)},
	}
	for _, f := range append(types, checks...) {
		files = append(files, closure.File{Path: "gen/" + f.Path, Data: f.Data})
	}
	for _, f := range runtime {
		files = append(files, closure.File{Path: "contract/" + f.Path, Data: f.Data})
	}
	return files, nil
}

func (p *Program) start(ctx context.Context, tool string, files []closure.File) error {
	for _, f := range files {
		name := filepath.Join(p.dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			return err
		}
	}
	binary := filepath.Join(p.dir, "judge")
	compile := exec.CommandContext(ctx, tool, "build", "-o", binary, ".")
	compile.Dir = p.dir
	compile.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local")
	if out, err := compile.CombinedOutput(); err != nil {
		if len(out) > 4000 {
			out = out[:4000]
		}
		return fmt.Errorf("compile the contract: %w\n%s", err, bytes.TrimSpace(out))
	}
	p.cmd = exec.CommandContext(ctx, binary)
	p.cmd.Stderr = io.Discard
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out, p.w = json.NewDecoder(bufio.NewReader(out)), json.NewEncoder(p.in)
	return p.cmd.Start()
}

type request struct {
	Scope string
	Ref   model.Ref
	Old   json.RawMessage `json:",omitempty"`
	Docs  []json.RawMessage
	Rule  string `json:",omitempty"`
	Times int    `json:",omitempty"`
}

// Timing is what one rule costs over one document that it accepts.
type Timing struct {
	NS     float64 // per evaluation; negative when the rule is not over one value
	Allocs float64
	Issues int // not 0: the document is rejected, and nothing was timed
}

// Measure times a rule over a complete document.
func (p *Program) Measure(rule string, old, doc []byte, times int) (t Timing, err error) {
	if err := p.w.Encode(request{Rule: rule, Old: old, Docs: []json.RawMessage{doc}, Times: times}); err != nil {
		return t, fmt.Errorf("the compiled contract ended early: %w", err)
	}
	if err := p.out.Decode(&t); err != nil {
		return t, fmt.Errorf("the compiled contract ended early: %w", err)
	}
	return t, nil
}

// Judge runs one case; what it returns includes faults of structure.
func (p *Program) Judge(scope rules.Scope, c *rules.Case) (contract.Issues, error) {
	r := request{Scope: string(scope), Ref: c.Schema, Old: c.Old}
	switch {
	case scope == rules.Transition && c.Old == nil:
		r.Scope = string(rules.Document)
	case scope == rules.Document && c.Old != nil:
		r.Scope = string(rules.Transition)
	}
	for _, d := range c.Docs {
		r.Docs = append(r.Docs, d)
	}
	if r.Docs == nil {
		r.Docs = []json.RawMessage{}
	}
	if err := p.w.Encode(r); err != nil {
		return nil, fmt.Errorf("the compiled contract ended early: %w", err)
	}
	var issues contract.Issues
	if err := p.out.Decode(&issues); err != nil {
		return nil, fmt.Errorf("the compiled contract ended early: %w", err)
	}
	return issues, nil
}

// Close ends the program and removes its folder.
func (p *Program) Close() error {
	if p.in != nil {
		p.in.Close()
	}
	if p.cmd != nil && p.cmd.Process != nil {
		p.cmd.Wait()
	}
	return os.RemoveAll(p.dir)
}

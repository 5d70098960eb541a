package jsts

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/contractkit/contractkit/gen/emit"
)

// runtimePath is the runtime's import path inside the program's module.
const runtimePath = "emitted/contract"

// program is a Go module of emitted packages, which is built into one executable.
type program struct {
	dir string

	patience time.Duration // for all verdicts together
	mu       sync.Mutex
	packages map[[32]byte]string // by the bytes of all files: the package's folder
	order    []string
}

// newProgram begins the module in dir. runtime is the folder of the runtime's sources.
func newProgram(dir, runtime string) (*program, error) {
	p := &program{dir: dir, patience: 2 * time.Minute, packages: map[[32]byte]string{}}
	sources, err := filepath.Glob(filepath.Join(runtime, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range sources {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := p.write("contract/"+filepath.Base(file), data); err != nil {
			return nil, err
		}
	}
	return p, p.write("go.mod", []byte("module emitted\n\ngo 1.26\n"))
}

func (p *program) write(name string, data []byte) error {
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// add stores a package and returns its folder. Schemas that occur in several drafts
// and give the same code share it. It may be called side by side.
func (p *program) add(files []emit.File) (string, error) {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n", f.Path, len(f.Data))
		h.Write(f.Data)
	}
	key := [32]byte(h.Sum(nil))
	p.mu.Lock()
	folder, known := p.packages[key]
	if !known {
		folder = fmt.Sprintf("p%04d", len(p.order))
		p.packages[key] = folder
		p.order = append(p.order, folder)
	}
	p.mu.Unlock()
	if known {
		return folder, nil
	}
	for _, f := range files {
		if err := p.write(folder+"/"+f.Path, f.Data); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// ask is a line that the program reads, and verdict the line that it answers.
type ask struct {
	Package string `json:"package"`
	Data    string `json:"data"` // JSON text, perhaps broken
}

type verdict struct {
	Valid   bool    `json:"valid"`
	Error   string  `json:"error,omitempty"`
	Output  string  `json:"output,omitempty"` // the decoded value, marshalled again
	Crash   string  `json:"crash,omitempty"`
	Seconds float64 `json:"seconds"`
}

// run builds the program and lets it judge; the verdicts are in the order of asks.
func (p *program) run(asks []ask) ([]verdict, error) {
	var main bytes.Buffer
	main.WriteString("package main\n\nimport (\n")
	for _, folder := range p.order {
		fmt.Fprintf(&main, "\t%s \"emitted/%s\"\n", folder, folder)
	}
	main.WriteString(")\n\nfunc init() {\n")
	for _, folder := range p.order {
		fmt.Fprintf(&main, "\tregister(%q, %s.ValidateRoot, %s.DecodeRoot)\n", folder, folder, folder)
	}
	main.WriteString("}\n")
	if err := p.write("main.go", main.Bytes()); err != nil {
		return nil, err
	}
	if err := p.write("run.go", []byte(runner)); err != nil {
		return nil, err
	}
	build := exec.Command("go", "build", "-trimpath", "-o", "judge", ".")
	build.Dir = p.dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the emitted code does not compile: %w\n%s", err, head(out))
	}
	var input bytes.Buffer
	for _, a := range asks {
		line, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		input.Write(append(line, '\n'))
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.patience)
	defer cancel()
	judge := exec.CommandContext(ctx, filepath.Join(p.dir, "judge"))
	judge.Stdin = &input
	var stderr bytes.Buffer
	judge.Stderr = &stderr
	out, err := judge.Output()
	if err != nil {
		done := bytes.Count(out, []byte("\n"))
		return nil, fmt.Errorf("the program fails at instance %d, of package %s: %w\n%s", done, asks[min(done, len(asks)-1)].Package, err, head(stderr.Bytes()))
	}
	verdicts := make([]verdict, 0, len(asks))
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, err
		}
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(asks) {
		return nil, fmt.Errorf("%d verdicts for %d instances", len(verdicts), len(asks))
	}
	return verdicts, nil
}

func head(out []byte) []byte { return out[:min(len(out), 8000)] }

// runner is the part of the program that is the same whatever it judges.
const runner = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"emitted/contract"
)

type judge func(data []byte) (output []byte, err error)

var judges = map[string]judge{}

func register[T json.Marshaler](name string, validate func([]byte) contract.Issues, decode func([]byte) (T, error)) {
	judges[name] = func(data []byte) ([]byte, error) {
		issues := validate(data)
		x, err := decode(data)
		if (err == nil) != (len(issues) == 0) {
			panic(fmt.Sprintf("decoding says %v, validation %v", err, issues))
		}
		if err != nil {
			return nil, err
		}
		return x.MarshalJSON()
	}
}

type ask struct {
	Package string
	Data    string
}

type verdict struct {
	Valid   bool    ` + "`json:\"valid\"`" + `
	Error   string  ` + "`json:\"error,omitempty\"`" + `
	Output  string  ` + "`json:\"output,omitempty\"`" + `
	Crash   string  ` + "`json:\"crash,omitempty\"`" + `
	Seconds float64 ` + "`json:\"seconds\"`" + `
}

func main() {
	debug.SetMaxStack(64 << 20)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var a ask
		if err := json.Unmarshal(in.Bytes(), &a); err != nil {
			panic(err)
		}
		if err := out.Encode(answer(a)); err != nil {
			panic(err)
		}
	}
}

func answer(a ask) (v verdict) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			v = verdict{Crash: fmt.Sprint(r)}
		}
		v.Seconds = time.Since(start).Seconds()
	}()
	output, err := judges[a.Package]([]byte(a.Data))
	if err != nil {
		return verdict{Error: err.Error()}
	}
	return verdict{Valid: true, Output: string(output)}
}
`

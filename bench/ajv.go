package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// ajv is a node process that stays alive over all rounds, so that its compiler
// has seen every document before it is measured.
type ajv struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	figures []*figure
	notes   []string
}

// startAJV starts the process; why says what is missing when it is nil.
func startAJV(opt options, documents int) (a *ajv, why string) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, "node is not installed"
	}
	folder := filepath.Join(opt.root, "bench", "node")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "ajv")); err != nil {
		return nil, "run npm ci in bench/node"
	}
	cmd := exec.Command(node, filepath.Join(folder, "ajv.mjs"), filepath.Join(opt.root, schemaFolder), strconv.FormatInt(opt.batch.Microseconds(), 10))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err.Error()
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err.Error()
	}
	if err := cmd.Start(); err != nil {
		return nil, err.Error()
	}
	a = &ajv{cmd: cmd, in: in, out: bufio.NewScanner(out), figures: make([]*figure, documents)}
	return a, ""
}

// round sends every document and reads the time of each.
func (a *ajv) round(docs []document) error {
	for i, d := range docs {
		line, err := json.Marshal(map[string]string{"schema": d.schema, "document": string(d.data)})
		if err != nil {
			return err
		}
		if _, err := a.in.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("ajv: %w", err)
		}
		if !a.out.Scan() {
			return fmt.Errorf("ajv ended early: %v", a.out.Err())
		}
		answer := a.out.Text()
		if why, failed := strings.CutPrefix(answer, "!"); failed {
			if a.figures[i] == nil {
				a.notes = append(a.notes, "ajv on "+d.name+": "+why)
				a.figures[i] = &figure{}
			}
			continue
		}
		ns, err := strconv.ParseFloat(answer, 64)
		if err != nil {
			return fmt.Errorf("ajv says %q", answer)
		}
		if a.figures[i] == nil {
			a.figures[i] = &figure{}
		}
		a.figures[i].ns = append(a.figures[i].ns, ns)
	}
	return nil
}

func (a *ajv) stop() {
	a.in.Close()
	_ = a.cmd.Wait() // its end has no meaning: everything was read
}

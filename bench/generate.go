package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// usage is what a child process took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of resident memory
}

func (u usage) String() string {
	return fmt.Sprintf("%.2f s, %.2f s, %d MiB", u.wall.Seconds(), u.cpu.Seconds(), u.peak>>20)
}

// generates measures whole runs of the command in a process of its own: from the
// sources to files on the disk, and the comparison of those with the sources.
func generates(w io.Writer, opt options) error {
	dir, err := os.MkdirTemp("", "contractkit-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "contracts")
	build := exec.Command("go", "build", "-o", binary, "./cmd/contracts")
	build.Dir = opt.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the command: %w\n%s", err, out)
	}
	var rows [][]string
	sizes := map[int]usage{} // generate
	measure := func(name, project string) (usage, error) {
		first, err := command(binary, project, "generate")
		if err != nil {
			return usage{}, err
		}
		again, err := command(binary, project, "generate")
		if err != nil {
			return usage{}, err
		}
		check, err := command(binary, project, "check")
		if err != nil {
			return usage{}, err
		}
		rows = append(rows, []string{name, first.String(), again.String(), check.String()})
		fmt.Fprintf(os.Stderr, "generate: %s done\n", name)
		return first, nil
	}
	catalog := filepath.Join(dir, "catalog")
	if err := copyCatalog(opt.root, catalog); err != nil {
		return err
	}
	if _, err := measure("this repository", catalog); err != nil {
		return err
	}
	for _, n := range opt.sizes {
		project := filepath.Join(dir, fmt.Sprint(n))
		if err := writeProject(project, n); err != nil {
			return err
		}
		if sizes[n], err = measure(fmt.Sprintf("%d schemas", n), project); err != nil {
			return err
		}
		os.RemoveAll(project)
	}
	fmt.Fprintf(w, "## generate and check: wall, CPU, peak memory, on %d cores\n\n", runtime.NumCPU())
	table(w, []string{"project", "generate, nothing there", "generate, nothing to do", "check"}, rows)
	small, large := sizes[1000], sizes[5000]
	if small.wall > 0 && large.wall > 0 {
		fmt.Fprintf(w, "- generate, 5,000 schemas against 1,000: %.2f times the wall time, %.2f times the CPU time (linear is 5, at most 6 is wanted); peak %d MiB (below 2048 is wanted)\n\n",
			large.wall.Seconds()/small.wall.Seconds(), large.cpu.Seconds()/small.cpu.Seconds(), large.peak>>20)
	}
	return nil
}

// command runs the binary in a project and wants it to succeed.
func command(binary, project string, args ...string) (usage, error) {
	cmd := exec.Command(binary, args...)
	cmd.Dir = project
	start := time.Now()
	out, err := cmd.CombinedOutput()
	u := usage{wall: time.Since(start)}
	if err != nil {
		return u, fmt.Errorf("contracts %s: %w\n%.2000s", strings.Join(args, " "), err, out)
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = r.Maxrss // bytes on macOS, KiB elsewhere
		if runtime.GOOS != "darwin" {
			u.peak <<= 10
		}
	}
	return u, nil
}

// copyCatalog copies what generating the catalog reads.
func copyCatalog(root, to string) error {
	for _, part := range []string{"contracts.yaml", "go.mod", "schemas"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, part)), 0o755); err != nil {
			return err
		}
		from := filepath.Join(root, part)
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = os.CopyFS(filepath.Join(to, part), os.DirFS(from))
		} else {
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(filepath.Join(to, part), data, 0o644)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Command guest is the component of the tests: it does what its input asks for and
// reports what came of it. It is compiled for wasip1.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

type call struct {
	Do   string
	Path string
	To   string
	Text string
	N    int
}

func main() {
	var input struct{ Calls []call }
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	var results []string
	for _, c := range input.Calls {
		text, err := do(c)
		if err != nil {
			text = "error: " + err.Error()
		}
		results = append(results, text)
	}
	data, _ := json.Marshal(results)
	os.Stdout.Write(append([]byte(`{"success":true,"data":{"answers":`), append(data, "}}"...)...))
}

func do(c call) (string, error) {
	switch c.Do {
	case "read":
		data, err := os.ReadFile(c.Path)
		return string(data), err
	case "write":
		return "ok", os.WriteFile(c.Path, []byte(c.Text), 0o666)
	case "append":
		f, err := os.OpenFile(c.Path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(c.Text)
		return "ok", err
	case "update":
		f, err := os.OpenFile(c.Path, os.O_RDWR, 0)
		if err != nil {
			return "", err
		}
		_, err = f.WriteAt([]byte(c.Text), int64(c.N))
		return "ok", err
	case "list":
		entries, err := os.ReadDir(c.Path)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " "), err
	case "walk":
		var names []string
		err := fs.WalkDir(os.DirFS("/"), ".", func(name string, _ fs.DirEntry, err error) error {
			if err == nil {
				names = append(names, name)
			}
			return nil
		})
		return strings.Join(names, " "), err
	case "stat":
		info, err := os.Stat(c.Path)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(info.IsDir(), info.Size(), info.ModTime().Unix()), nil
	case "mkdir":
		return "ok", os.MkdirAll(c.Path, 0o777)
	case "remove":
		return "ok", os.Remove(c.Path)
	case "rename":
		return "ok", os.Rename(c.Path, c.To)
	case "symlink":
		return "ok", os.Symlink(c.To, c.Path)
	case "link":
		return "ok", os.Link(c.To, c.Path)
	case "chdir":
		return "ok", os.Chdir(c.Path)
	case "open many":
		var open []*os.File
		for range c.N {
			f, err := os.Open(c.Path)
			if err != nil {
				return fmt.Sprint(len(open)), err
			}
			open = append(open, f)
		}
		return fmt.Sprint(len(open)), nil
	case "env":
		return strings.Join(os.Environ(), " "), nil
	case "args":
		return strings.Join(os.Args, " "), nil
	case "now":
		return fmt.Sprint(time.Now().Unix()), nil
	case "sleep":
		time.Sleep(time.Duration(c.N) * time.Millisecond)
		return "ok", nil
	case "exec":
		_, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "true"}, &os.ProcAttr{})
		return "ran", err
	case "spin":
		for i := 0; ; i++ {
			if i < 0 {
				return "", nil
			}
		}
	case "allocate":
		var keep [][]byte
		for range c.N {
			block := make([]byte, 1<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			keep = append(keep, block)
		}
		return fmt.Sprint(len(keep)), nil
	case "print":
		_, err := io.WriteString(os.Stdout, strings.Repeat("x", c.N))
		return "ok", err
	case "complain":
		fmt.Fprintln(os.Stderr, strings.Repeat("e", c.N))
		return "ok", nil
	case "exit":
		os.Exit(c.N)
	case "panic":
		panic("on purpose")
	case "random":
		data := make([]byte, 16)
		f, err := os.ReadFile("/dev/random")
		return fmt.Sprint(data, f), err
	}
	return "", fmt.Errorf("no such call: %s", c.Do)
}

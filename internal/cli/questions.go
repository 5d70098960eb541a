package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/contractkit/contractkit/internal/packauthor"
)

// questions asks a person on the terminal for what the options have left open.
type questions struct {
	in  *bufio.Reader
	out io.Writer
}

func newQuestions(env *Env) *questions {
	return &questions{bufio.NewReader(io.LimitReader(env.Stdin, 1<<20)), env.Stderr}
}

// ask repeats the question until check finds no fault. Enter takes the usual answer.
func (q *questions) ask(question, usual string, check func(string) string) (string, error) {
	for {
		if usual == "" {
			fmt.Fprintf(q.out, "%s: ", question)
		} else {
			fmt.Fprintf(q.out, "%s [%s]: ", question, usual)
		}
		line, err := q.in.ReadString('\n')
		answer := strings.TrimSpace(line)
		if err != nil && answer == "" {
			fmt.Fprintln(q.out)
			return "", &usageError{code: "usage.missing_option", message: "the questions were not answered", hint: "contracts pack author --help shows how to do without"}
		}
		if answer == "" {
			answer = usual
		}
		fault := check(answer)
		if fault == "" {
			return answer, nil
		}
		fmt.Fprintln(q.out, fault)
		if errors.Is(err, io.EOF) {
			return "", &usageError{code: "usage.bad_option_value", message: fault}
		}
	}
}

// complete fills what is missing in the spec.
func (q *questions) complete(spec *packauthor.Spec) (err error) {
	if spec.PackID == "" {
		if spec.PackID, err = q.ask("Id of the pack", "", packauthor.CheckID); err != nil {
			return err
		}
	}
	if spec.Version == "" {
		if spec.Version, err = q.ask("Version", "0.1.0", packauthor.CheckVersion); err != nil {
			return err
		}
	}
	if len(spec.TaskTypes) == 0 {
		types, err := q.ask("Task types, with commas between", "task", func(s string) string { return "" })
		if err != nil {
			return err
		}
		spec.TaskTypes = strings.Split(types, ",")
	}
	if len(spec.Templates) > 0 {
		return nil
	}
	for {
		done, err := q.tool(spec)
		if done || err != nil {
			return err
		}
	}
}

// tool asks for one more tool; Enter ends the list once it holds one.
func (q *questions) tool(spec *packauthor.Spec) (done bool, err error) {
	question := "What shall the tool do: read or write files, or get JSON"
	if len(spec.Templates) > 0 {
		question = "Another tool: read, write, get; nothing to end"
	}
	kinds := map[string]string{"read": packauthor.ReadText, "write": packauthor.WriteText, "get": packauthor.GetJSON}
	kind, err := q.ask(question, "", func(s string) string {
		if kinds[s] == "" && (s != "" || len(spec.Templates) == 0) {
			return "answer read, write or get"
		}
		return ""
	})
	if kind == "" || err != nil {
		return true, err
	}
	name, err := q.ask("Name of the tool", spec.PackID+":"+kind, packauthor.CheckTool)
	if err != nil {
		return true, err
	}
	question = "Files that it may use, such as notes/**/*.md"
	if kind == "get" {
		question = "https URLs, with commas between"
	}
	what, err := q.ask(question, "", func(s string) string {
		one := packauthor.Spec{Templates: []packauthor.Template{template(kinds[kind], name, s)}}
		return strings.Join(one.Check(), "\n")
	})
	if err != nil {
		return true, err
	}
	spec.Templates = append(spec.Templates, template(kinds[kind], name, what))
	return false, nil
}

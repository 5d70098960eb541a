package crd

import (
	"bytes"
	"errors"
	"path"
	"regexp"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// Read finds the versions of all CustomResourceDefinitions in a YAML or JSON file, which
// may hold several documents, and lists of objects as kubectl get prints them. Other
// kinds of objects are left out.
//
// The error is a [diag.List] with the problems of all documents; positions count from
// the beginning of the file.
func Read(name string, data []byte, lim source.Limits) ([]Version, error) {
	var out []Version
	var problems diag.List
	for _, part := range split(name, data) {
		if nothing.Match(part.data) {
			continue
		}
		if m := marked.FindIndex(part.data); m != nil { // YAML allows it here, and its reader takes it for a part of a name
			line := part.line + 1 + bytes.Count(part.data[:m[1]], []byte("\n"))
			problems.Add(diag.Diagnostic{Code: "source.bom", Pos: diag.Pos{File: name, Line: line, Col: 1},
				Message: "a line starts with a byte order mark", Hint: "save the files that were put together as UTF-8 without a byte order mark"})
			continue
		}
		doc, err := source.Parse(name, part.data, lim)
		if list, ok := errors.AsType[diag.List](err); ok {
			for _, d := range list {
				if d.Pos.Line > 0 {
					d.Pos.Line += part.line
				}
				problems = append(problems, d)
			}
			continue
		} else if err != nil {
			return nil, err
		}
		move(doc.Root, part.line)
		for _, x := range objects(doc.Root) {
			if text(x.Get("kind")) != "CustomResourceDefinition" {
				continue
			}
			found, err := versions(x)
			if err != nil {
				problems.Add(diag.Diagnostic{Code: "crd.invalid", Pos: x.Pos, Message: err.Error()})
				continue
			}
			out = append(out, found...)
		}
	}
	return out, problems.Err()
}

// objects gives the objects that a document holds: itself, or those of a list.
func objects(root *source.Value) []*source.Value {
	switch text(root.Get("kind")) {
	case "List", "CustomResourceDefinitionList":
		if items := root.Get("items"); items != nil {
			return items.Items
		}
	}
	return []*source.Value{root}
}

// move lets the positions of a document begin after as many lines of its file.
func move(v *source.Value, lines int) {
	if lines == 0 {
		return
	}
	v.Pos.Line += lines
	for i := range v.Members {
		v.Members[i].NamePos.Line += lines
		move(v.Members[i].Value, lines)
	}
	for _, x := range v.Items {
		move(x, lines)
	}
}

// part is a document of a stream.
type part struct {
	data []byte
	line int // lines before it
}

// separator begins a document, with directives if any; what is written behind it in its
// line belongs to the document.
var separator = regexp.MustCompile(`(?m)^(?:%[^\n]*\n)*---(?:[ \t\r].*)?$`)

// nothing is a document of blank lines, lines that hold a comment, and its own marks.
var nothing = regexp.MustCompile(`\A(?:(?:---|\.\.\.|%[^\n]*)?[ \t]*(?:#[^\n]*)?\r?(?:\n|\z))*\z`)

// marked finds a byte order mark at the beginning of a line but the first, which is for
// the reader of documents to report.
var marked = regexp.MustCompile(`\n\x{FEFF}`)

// split cuts a stream of YAML documents.
func split(name string, data []byte) []part {
	if path.Ext(name) == ".json" {
		return []part{{data, 0}}
	}
	var out []part
	at, line := 0, 0
	for _, m := range separator.FindAllIndex(data, -1) {
		out = append(out, part{data[at:m[0]], line})
		line += bytes.Count(data[at:m[0]], []byte("\n"))
		at = m[0]
	}
	return append(out, part{data[at:], line})
}

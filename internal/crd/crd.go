// Package crd turns Kubernetes CustomResourceDefinitions into JSON Schemas and a
// registry of their rules, so that custom resources can be judged without a cluster.
//
// A structural schema becomes JSON Schema 2020-12 as the API server means it:
// nullable, int-or-string, embedded resources, unknown members, lists that are sets
// or maps. Its x-kubernetes-validations become invariants, those that read oldSelf
// as transitions.
package crd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
)

// File is a file that an import writes.
type File struct {
	Path string
	Data []byte

	origins map[string]diag.Pos // what values come from, by JSON Pointer
}

// Version is one version of a resource, with its structural schema.
type Version struct {
	Name    string // file name without ending: plural.version, or plural_group.version where that is not unique
	Group   string
	Kind    string
	Version string
	Schema  *source.Value
	Pos     diag.Pos // where it is defined
}

// Registry is the name of the file with the rules.
const Registry = "invariants.yaml"

func text(v *source.Value) string {
	if v == nil || v.Kind != source.String {
		return ""
	}
	return v.Text
}

// versions reads one definition.
func versions(root *source.Value) ([]Version, error) {
	spec := root.Get("spec")
	if spec == nil || spec.Kind != source.Object {
		return nil, fmt.Errorf("the definition has no spec")
	}
	names := spec.Get("names")
	plural, kind := text(names.Get("plural")), text(names.Get("kind"))
	if plural == "" || kind == "" || !plain.MatchString(plural) {
		return nil, fmt.Errorf("spec.names has no plural or kind")
	}
	if group := text(spec.Get("group")); group != "" && !plain.MatchString(group) {
		return nil, fmt.Errorf("spec.group %.100q is not the name of a group", group) // it becomes part of a file's name
	}
	list := spec.Get("versions")
	if list == nil || list.Kind != source.Array {
		return nil, fmt.Errorf("spec.versions is missing; only apiextensions.k8s.io/v1 is known")
	}
	var out []Version
	for _, v := range list.Items {
		name := text(v.Get("name"))
		if !plain.MatchString(name) {
			return nil, fmt.Errorf("a version has no name that could be one of a file")
		}
		schema := v.Get("schema")
		if schema != nil {
			if schema = schema.Get("openAPIV3Schema"); schema == nil {
				return nil, fmt.Errorf("the schema of the version %s has no openAPIV3Schema", name)
			}
		}
		if schema == nil || schema.Kind != source.Object {
			continue // nothing to check by
		}
		out = append(out, Version{Name: plural + "." + name, Group: text(spec.Get("group")), Kind: kind, Version: name, Schema: schema, Pos: v.Pos})
	}
	return out, nil
}

var plain = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$`)

// Import returns the schemas and the registry for versions.
func Import(list []Version) ([]File, error) {
	taken := map[string]int{}
	for _, v := range list {
		taken[v.Name]++
	}
	var files []File
	var rules []rule
	var problems diag.List
	used := map[string]bool{}
	for _, v := range list {
		name := v.Name
		if taken[name] > 1 {
			name = strings.TrimSuffix(v.Name, "."+v.Version) + "_" + v.Group + "." + v.Version
		}
		if used[name] {
			problems.Add(diag.Diagnostic{Code: "crd.invalid", Pos: v.Pos, Message: fmt.Sprintf("the resource %s is defined twice", name)})
			continue
		}
		used[name] = true
		c := &converter{name: name, file: name + ".json"}
		schema := c.schema(v.Schema, v.Schema, "")
		c.root(schema, v)
		var b bytes.Buffer
		if err := json.Indent(&b, source.AppendJSON(nil, schema), "", "  "); err != nil {
			return nil, err
		}
		b.WriteByte('\n')
		files = append(files, File{c.file, b.Bytes(), map[string]diag.Pos{"": v.Pos}})
		rules = append(rules, c.rules...)
		problems = append(problems, c.problems...)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	origins := map[string]diag.Pos{}
	for i, r := range rules {
		origins["/rules/"+strconv.Itoa(i)] = r.pos
	}
	return append(files, File{Registry, registry(rules), origins}), nil
}

type rule struct {
	id, schema, rule, message, messageExpression, path, reason string
	transition, optional                                       bool
	pos                                                        diag.Pos
}

// registry writes the rules; strings are JSON strings, which are YAML too.
func registry(rules []rule) []byte {
	var b bytes.Buffer
	b.WriteString("# Rules of custom resources, from x-kubernetes-validations.\nversion: 1\nprofile: kubernetes\n")
	if len(rules) == 0 {
		b.WriteString("rules: []\n")
		return b.Bytes()
	}
	b.WriteString("rules:\n")
	line := func(key, value string) {
		if value != "" {
			b.WriteString("    " + key + ": " + string(source.AppendJSON(nil, &source.Value{Kind: source.String, Text: value})) + "\n")
		}
	}
	for _, r := range rules {
		b.WriteString("  - id: " + string(source.AppendJSON(nil, &source.Value{Kind: source.String, Text: r.id})) + "\n")
		line("schema", r.schema)
		if r.transition {
			line("scope", "transition")
		}
		line("rule", r.rule)
		line("message", r.message)
		line("messageExpression", r.messageExpression)
		line("path", r.path)
		line("reason", r.reason)
		if r.optional {
			b.WriteString("    optionalOldSelf: true\n")
		}
	}
	return b.Bytes()
}

// fieldPath turns a path like .spec['a.b'].c into a JSON Pointer.
func fieldPath(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '.':
			i++
			end := i
			for end < len(s) && s[end] != '.' && s[end] != '[' {
				end++
			}
			if end == i {
				return "", fmt.Errorf("a name is missing in the path %.100q", s)
			}
			b.WriteString("/" + source.EscapeToken(s[i:end]))
			i = end
		case s[i] == '[':
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				return "", fmt.Errorf("a ] is missing in the path %.100q", s)
			}
			inner := s[i+1 : i+end]
			if len(inner) >= 2 && (inner[0] == '\'' || inner[0] == '"') && inner[len(inner)-1] == inner[0] {
				inner = inner[1 : len(inner)-1]
			} else if _, err := strconv.Atoi(inner); err != nil {
				return "", fmt.Errorf("%.100q is neither a name nor an index in the path %.100q", inner, s)
			}
			b.WriteString("/" + source.EscapeToken(inner))
			i += end + 1
		default:
			return "", fmt.Errorf("a path begins with a dot or a bracket, not with %.100q", s)
		}
	}
	return b.String(), nil
}

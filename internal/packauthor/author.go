package packauthor

import (
	"slices"
	"strings"
)

// Author returns the files of a pack with a tool for each template, ordered by path.
// The header must be filled; spec's id, version and task types are the header's.
func Author(h Header, spec Spec) ([]File, []string) {
	types := make([]string, len(h.TaskTypes))
	for i, t := range h.TaskTypes {
		types[i] = strings.TrimSpace(t)
	}
	slices.Sort(types)
	h.TaskTypes = slices.Compact(types)
	if faults := append(h.Check(), spec.Check()...); len(faults) > 0 {
		return nil, faults
	}
	made := slices.Clone(spec.Templates)
	slices.SortFunc(made, func(a, b Template) int { return strings.Compare(a.ToolName, b.ToolName) })
	var tools []tool
	for _, t := range made {
		tools = append(tools, t.tool())
	}
	files := common(h, tools)
	for _, t := range made {
		e := entry{Name: t.ToolName, Template: t.TemplateID, Pattern: t.ScopePattern, URLs: sortedCopy(t.AllowedURLs),
			TimeoutMS: or(t.TimeoutMS, 5000), MaxBytes: t.most()}
		files = append(files,
			File{"tool-impl/" + fileOf(t.ToolName), render(t.TemplateID+".ts.tmpl", h, e)},
			File{"tools/" + fileOf(t.ToolName), render("reexport.ts.tmpl", h, e)})
	}
	return ordered(files), nil
}

func (t Template) most() int {
	if t.TemplateID == GetJSON {
		return or(t.MaxBytes, 256<<10)
	}
	return or(t.MaxBytes, 128<<10)
}

func or(v *int, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return *v
}

func sortedCopy(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// tool is the manifest's side of a template.
func (t Template) tool() tool {
	text := func(more ...member) []member { return append([]member{{"type", "string"}}, more...) }
	switch t.TemplateID {
	case ReadText:
		return tool{t.ToolName, "read", pathScope(t.ScopePattern, "read"),
			object([]string{"path"}, member{"path", text(member{"minLength", 1})}),
			object([]string{"content", "bytes"}, member{"content", text()}, member{"bytes", count()})}
	case WriteText:
		return tool{t.ToolName, "write", pathScope(t.ScopePattern, "write"),
			object([]string{"path", "content"}, member{"path", text(member{"minLength", 1})}, member{"content", text(member{"maxLength", t.most()})}),
			object([]string{"bytes_written"}, member{"bytes_written", count()})}
	}
	urls := sortedCopy(t.AllowedURLs)
	var entries []string
	for _, u := range urls {
		entries = append(entries, hostPort(u))
	}
	slices.Sort(entries)
	return tool{t.ToolName, "read",
		[]member{{"type", "network"}, {"posture", "allowlist"}, {"allowlist_entries", slices.Compact(entries)}},
		object([]string{"url"}, member{"url", text(member{"enum", urls})}),
		object([]string{"status", "body"}, member{"status", []member{{"type", "integer"}, {"minimum", 100}, {"maximum", 599}}},
			member{"body", []member{{"type", "object"}, {"additionalProperties", true}}})}
}

func pathScope(pattern, access string) []member {
	return []member{{"type", "path"}, {"pattern", pattern}, {"access", access}}
}

func count() []member { return []member{{"type", "integer"}, {"minimum", 0}} }

func object(required []string, properties ...member) []member {
	return []member{{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}}
}

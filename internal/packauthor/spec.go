package packauthor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The templates of tools.
const (
	ReadText  = "file.read_text"
	WriteText = "file.write_text"
	GetJSON   = "http.get_json"
)

// Spec is the request to author a pack, as --spec-file holds it.
type Spec struct {
	PackID    string     `yaml:"pack_id"`
	Version   string     `yaml:"version"`
	TaskTypes []string   `yaml:"task_types"`
	Templates []Template `yaml:"templates"`
}

// Template is one tool to be made.
type Template struct {
	TemplateID   string   `yaml:"template_id"`
	ToolName     string   `yaml:"tool_name"`
	ScopePattern string   `yaml:"scope_pattern"` // of the file templates
	AllowedURLs  []string `yaml:"allowed_urls"`  // of http.get_json
	TimeoutMS    *int     `yaml:"timeout_ms"`    // of http.get_json; nil stands for 5,000
	MaxBytes     *int     `yaml:"max_bytes"`     // nil stands for 131,072, of http.get_json for 262,144
}

const maxSpec = 1 << 20 // bytes

// ParseSpec reads YAML or JSON: one document, no key twice and none unknown.
func ParseSpec(data []byte) (Spec, error) {
	var spec Spec
	if len(data) > maxSpec {
		return spec, fmt.Errorf("it has more than %d bytes", maxSpec)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&spec); err != nil {
		return spec, err
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return spec, errors.New("it holds more than one document")
	}
	return spec, nil
}

// Check returns everything that is wrong with the templates.
func (s *Spec) Check() []string {
	var faults []string
	if len(s.Templates) == 0 {
		faults = append(faults, "there must be at least one template")
	}
	var names []string
	for i, t := range s.Templates {
		at := fmt.Sprintf("template %d (%.100q): ", i+1, t.ToolName)
		if fault := CheckTool(t.ToolName); fault != "" {
			faults = append(faults, at+fault)
		}
		if slices.Contains(names, t.ToolName) {
			faults = append(faults, at+"another template makes this tool")
		} else {
			names = append(names, t.ToolName)
		}
		for _, fault := range t.check() {
			faults = append(faults, at+fault)
		}
	}
	if a, b, found := sameFile(names); found {
		faults = append(faults, fmt.Sprintf("the tools %q and %q would share the file %s", a, b, fileOf(a)))
	}
	return faults
}

func (t Template) check() (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	within := func(name string, v *int, least, most int) {
		if v != nil && (*v < least || *v > most) {
			add("%s must be from %d to %d", name, least, most)
		}
	}
	within("max_bytes", t.MaxBytes, 1, 1<<20)
	switch t.TemplateID {
	case ReadText, WriteText:
		if len(t.AllowedURLs) > 0 || t.TimeoutMS != nil {
			add("%s has neither allowed_urls nor timeout_ms", t.TemplateID)
		}
		if fault := checkPattern(t.ScopePattern); fault != "" {
			add("%s", fault)
		}
	case GetJSON:
		within("timeout_ms", t.TimeoutMS, 100, 30_000)
		if t.ScopePattern != "" {
			add("%s has no scope_pattern", t.TemplateID)
		}
		if len(t.AllowedURLs) == 0 || len(t.AllowedURLs) > 64 {
			add("allowed_urls must list 1 to 64 URLs")
		}
		for i, text := range t.AllowedURLs {
			if fault := checkURL(text); fault != "" {
				add("%s", fault)
			}
			if slices.Contains(t.AllowedURLs[:i], text) {
				add("allowed_urls lists %.200q twice", text)
			}
		}
	default:
		add("no template has the id %.100q; there are %s, %s and %s", t.TemplateID, ReadText, WriteText, GetJSON)
	}
	return faults
}

func checkPattern(p string) string {
	literal := p
	if i := strings.IndexAny(p, "*?[{"); i >= 0 {
		literal = p[:i]
	}
	literal = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(literal, "./"), "/"), "/")
	switch {
	case strings.TrimSpace(p) == "":
		return "scope_pattern is missing"
	case strings.ContainsRune(p, 0), slices.Contains(strings.Split(p, "/"), ".."):
		return fmt.Sprintf("scope_pattern %.200q has a \"..\" segment or a NUL byte", p)
	case slices.Contains([]string{"*", "**", "**/*", "./**", "./**/*"}, strings.TrimSpace(p)), literal == "":
		return fmt.Sprintf("scope_pattern %.200q is everything; begin with the name of a folder", p)
	}
	return ""
}

func checkURL(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "":
		return fmt.Sprintf("%.200q is no https URL", text)
	case u.User != nil, u.RawQuery != "" || u.ForceQuery, u.Fragment != "" || strings.Contains(text, "#"):
		return fmt.Sprintf("%.200q must have no credentials, query or fragment", text)
	}
	return ""
}

// hostPort returns the allowlist entry of a checked URL.
func hostPort(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		panic(err) // it was checked
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" {
		port = "443"
	}
	return host + ":" + port
}

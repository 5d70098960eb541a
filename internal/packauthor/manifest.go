package packauthor

import "github.com/contractkit/contractkit/runtime/pack"

// Header is what both commands are told about a pack.
type Header struct {
	ID            string
	Version       string
	PublisherID   string
	PublisherName string
	KernelRange   string
	HostRange     string
	TaskTypes     []string
}

// tool is one entry of the manifest's tools.
type tool struct {
	name       string
	permission string
	scope      []member
	input      []member
	output     []member
}

// manifest writes manifest.yaml. Only a pack with tools asks for a tier, and whether
// it gets that is the host's to say.
func manifest(h Header, tools []tool) []byte {
	var w writer
	w.text(0, "id", h.ID)
	w.text(0, "version", h.Version)
	w.line(0, "contract_version: 2")
	w.line(0, "publisher:")
	w.text(1, "id", h.PublisherID)
	w.text(1, "name", h.PublisherName)
	w.line(0, "compatibility:")
	w.text(1, "kernel", h.KernelRange)
	w.text(1, "host", h.HostRange)
	if len(tools) > 0 {
		w.text(0, "trust_tier", string(pack.TrustedHostAdapter))
		w.text(0, "adapter_id", pack.TrustedHostAdapterID(h.ID))
	}
	w.texts(0, "task_types", h.TaskTypes)
	if len(tools) > 0 {
		w.line(0, "tools:")
	}
	for _, t := range tools {
		w.line(1, "- name: "+scalar(t.name))
		w.text(2, "entry", "tool-impl/"+fileOf(t.name)+"#"+exportOf(t.name))
		w.text(2, "permission", t.permission)
		w.line(2, "required_scopes:")
		for i, m := range t.scope {
			var one writer
			one.object(0, []member{m})
			lead := "  "
			if i == 0 {
				lead = "- "
			}
			for line := range lines(one.String()) {
				w.line(3, lead+line)
				lead = "  "
			}
		}
		for _, s := range []struct {
			key     string
			members []member
		}{{"input_schema", t.input}, {"output_schema", t.output}} {
			if s.members != nil {
				w.line(2, s.key+":")
				w.object(3, s.members)
			}
		}
	}
	w.line(0, "policies: []")
	w.line(0, "evidence_types: []")
	w.line(0, "state_aliases: {}")
	w.line(0, "lane_templates: []")
	return []byte(w.String())
}

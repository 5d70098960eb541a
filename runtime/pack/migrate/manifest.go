package migrate

import (
	"fmt"

	"github.com/contractkit/contractkit/runtime/pack"
)

// PackOf takes the migrations out of an accepted manifest. A contract v1 manifest has
// none, and no host installs it.
func PackOf(m *pack.Manifest) (Pack, error) {
	doc, ok := m.Document()
	if !ok {
		return Pack{}, fmt.Errorf("the pack %q has no contract v2 manifest", m.ID())
	}
	p := Pack{ID: m.ID(), Version: m.Version()}
	for _, d := range doc.Migrations {
		g := Migration{From: d.From, To: d.To, Description: d.Description.Or("")}
		for _, st := range d.Steps {
			switch {
			case st.RenameStateNamespace != nil:
				g.Steps = append(g.Steps, Step{Kind: RenameStateNamespace, From: st.RenameStateNamespace.From, To: st.RenameStateNamespace.To})
			case st.RenameEventKind != nil:
				g.Steps = append(g.Steps, Step{Kind: RenameEventKind, From: st.RenameEventKind.From, To: st.RenameEventKind.To})
			case st.RenameConfigKey != nil:
				g.Steps = append(g.Steps, Step{Kind: RenameConfigKey, From: st.RenameConfigKey.From, To: st.RenameConfigKey.To})
			case st.DeprecateTool != nil:
				g.Steps = append(g.Steps, Step{Kind: DeprecateTool, Name: st.DeprecateTool.Name, Replacement: st.DeprecateTool.Replacement.Or("")})
			}
		}
		p.Migrations = append(p.Migrations, g)
	}
	return p, nil
}

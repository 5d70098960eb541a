package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contractkit/contractkit/internal/packauthor"
	"github.com/contractkit/contractkit/runtime/contract"
	"github.com/contractkit/contractkit/runtime/pack"
	"github.com/contractkit/contractkit/runtime/pack/semrange"
)

// PackGraph is what pack graph prints with --format json.
type PackGraph struct {
	Version int         `json:"version" jsonschema:"enum=1"`
	Packs   []GraphPack `json:"packs"`
	Cycles  [][]string  `json:"cycles" jsonschema_description:"Ids, the first repeated at the end."`
}

// GraphPack is a pack and what it needs.
type GraphPack struct {
	ID      string      `json:"id"`
	Version string      `json:"version"`
	Tier    string      `json:"tier"`
	Needs   []GraphNeed `json:"needs"`
}

// GraphNeed is one dependency.
type GraphNeed struct {
	ID        string `json:"id"`
	Range     string `json:"range"`
	Installed string `json:"installed,omitempty" jsonschema_description:"Version that is there."`
	State     string `json:"state" jsonschema:"enum=ok,enum=missing,enum=version"`
}

func newPackGraphCmd(env *Env) *cobra.Command {
	var root, format string
	cmd := &cobra.Command{
		Use:   "graph [DIR...]",
		Short: "Print which pack needs which: text, DOT, Mermaid or JSON",
		Example: `  contracts pack graph
  contracts pack graph packs/* --format mermaid`,
		Args: argCount(0, maxBatch, "DIR"),
		RunE: func(_ *cobra.Command, dirs []string) error {
			if err := oneOf("format", format, graphFormats...); err != nil {
				return err
			}
			if len(dirs) == 0 {
				var err error
				if dirs, err = packsIn(env, root); err != nil {
					return err
				}
			}
			return runPackGraph(env, dirs, format)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().StringVar(&root, "packs-root", "packs", "folder whose packs are shown when none is named")
	cmd.Flags().StringVar(&format, "format", "text", "how to print: "+strings.Join(graphFormats, ", "))
	complete(cmd, "format", func() []string { return graphFormats })
	folders(cmd, "packs-root")
	return cmd
}

var graphFormats = []string{"text", "dot", "mermaid", "json"}

func runPackGraph(env *Env, dirs []string, format string) error {
	packs := make([]*pack.Parsed, len(dirs))
	for i, dir := range dirs {
		packs[i] = readPack(env, dir)
	}
	rejected, err := printRejected(env, packs)
	if err != nil {
		return err
	}
	graph, err := graphOf(packs)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		err = printJSON(env, graph)
	case "dot":
		_, err = io.WriteString(env.Stdout, graph.dot())
	case "mermaid":
		_, err = io.WriteString(env.Stdout, graph.mermaid())
	default:
		_, err = io.WriteString(env.Stdout, graph.text())
	}
	if err == nil && rejected {
		err = verdict(exitFinding)
	}
	return err
}

// graphOf lists accepted packs by id. What the gate says of cycles is what is shown.
func graphOf(packs []*pack.Parsed) (*PackGraph, error) {
	g := &PackGraph{Version: 1, Packs: []GraphPack{}, Cycles: [][]string{}}
	packs = slices.DeleteFunc(slices.Clone(packs), func(p *pack.Parsed) bool { return !p.Accepted() })
	installed := map[string]string{}
	for _, p := range packs {
		if old, has := installed[p.ID]; !has || lower(p.Manifest().Version(), old) {
			installed[p.ID] = p.Manifest().Version()
		}
	}
	for _, p := range packs {
		m := p.Manifest()
		node := GraphPack{ID: m.ID(), Version: m.Version(), Tier: string(m.Tier()), Needs: []GraphNeed{}}
		for _, d := range m.DependsOn() {
			need := GraphNeed{ID: d.ID, Range: d.Range.String(), State: "missing"}
			if version, there := installed[d.ID]; there {
				need.Installed, need.State = version, "version"
				if v, err := semrange.ParseVersion(version); err == nil && d.Range.Contains(v) {
					need.State = "ok"
				}
			}
			node.Needs = append(node.Needs, need)
		}
		g.Packs = append(g.Packs, node)
	}
	slices.SortStableFunc(g.Packs, func(a, b GraphPack) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Version, b.Version)) })
	found, err := pack.ValidateRegistration(packs, pack.Host{Kernel: packauthor.KernelVersion, Host: packauthor.HostVersion})
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		if d.Code == pack.CodeDependencyCycle {
			g.Cycles = append(g.Cycles, d.Data.Cycle)
		}
	}
	return g, nil
}

func lower(a, b string) bool {
	v, err := semrange.ParseVersion(a)
	w, otherErr := semrange.ParseVersion(b)
	return err == nil && otherErr == nil && v.Compare(w) < 0
}

// mark is the remark on a dependency that is not as it should be.
func (n GraphNeed) mark() string {
	switch n.State {
	case "missing":
		return "missing"
	case "version":
		return "has " + n.Installed
	}
	return ""
}

func (g *PackGraph) text() string {
	var b strings.Builder
	for _, p := range g.Packs {
		fmt.Fprintf(&b, "%s %s (%s)\n", visible(p.ID), p.Version, p.Tier)
		for _, n := range p.Needs {
			mark := n.mark()
			if mark != "" {
				mark = "  " + mark
			}
			fmt.Fprintf(&b, "  -> %s %s%s\n", visible(n.ID), visible(n.Range), mark)
		}
	}
	for _, c := range g.Cycles {
		b.WriteString("cycle: " + visible(strings.Join(c, " -> ")) + "\n")
	}
	return b.String()
}

// inCycle reports whether the edge is a part of a cycle that is shown.
func (g *PackGraph) inCycle(from, to string) bool {
	for _, c := range g.Cycles {
		for i := range len(c) - 1 {
			if c[i] == from && c[i+1] == to {
				return true
			}
		}
	}
	return false
}

func (g *PackGraph) dot() string {
	quote := func(s string) string { return string(contract.AppendString(nil, s)) }
	var b strings.Builder
	b.WriteString("digraph packs {\n")
	for _, p := range g.Packs {
		fmt.Fprintf(&b, "  %s [label=%s];\n", quote(p.ID), quote(p.ID+" "+p.Version))
	}
	for _, p := range g.Packs {
		for _, n := range p.Needs {
			style := ""
			switch {
			case n.State != "ok":
				style = ", style=dashed"
			case g.inCycle(p.ID, n.ID):
				style = ", color=red"
			}
			fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", quote(p.ID), quote(n.ID), quote(strings.TrimSpace(n.Range+" "+n.mark())), style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func (g *PackGraph) mermaid() string {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`"`, "#quot;", "\n", " ", "\r", " ", "<", "#lt;", ">", "#gt;", "&", "#amp;").Replace(s) + `"`
	}
	names := map[string]string{}
	var b strings.Builder
	b.WriteString("graph LR\n")
	node := func(id, label string) string {
		name, known := names[id]
		if !known {
			name = fmt.Sprintf("p%d", len(names))
			names[id] = name
			fmt.Fprintf(&b, "  %s[%s]\n", name, quote(label))
		}
		return name
	}
	for _, p := range g.Packs {
		node(p.ID, p.ID+" "+p.Version)
	}
	for _, p := range g.Packs {
		for _, n := range p.Needs {
			arrow := "-->"
			if n.State != "ok" {
				arrow = "-.->"
			}
			to := node(n.ID, n.ID)
			fmt.Fprintf(&b, "  %s %s|%s| %s\n", names[p.ID], arrow, quote(strings.TrimSpace(n.Range+" "+n.mark())), to)
		}
	}
	return b.String()
}

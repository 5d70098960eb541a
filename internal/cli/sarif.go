package cli

import (
	"net/url"
	"slices"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/generator"
)

// The part of SARIF 2.1.0 that code scanning services read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		Level            string          `json:"level"`
		Message          sarifText       `json:"message"`
		Locations        []sarifLocation `json:"locations,omitempty"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// sarif turns diagnostics into a SARIF log.
func sarif(list diag.List) sarifLog {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: generator.Name, Version: generator.Version, Rules: []sarifRule{}}},
		ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
	}
	var codes []string
	for _, d := range list {
		codes = append(codes, d.Code)
		text := d.Message
		if d.Hint != "" {
			text += "; " + d.Hint
		}
		r := sarifResult{RuleID: d.Code, Level: string(d.Severity), Message: sarifText{text}}
		if d.Pos.File != "" {
			r.Locations = []sarifLocation{location(d.Pos)}
		}
		for _, other := range d.Related {
			if other.Pos.File == "" {
				continue
			}
			l := location(other.Pos)
			l.Message = &sarifText{other.Message}
			r.RelatedLocations = append(r.RelatedLocations, l)
		}
		run.Results = append(run.Results, r)
	}
	slices.Sort(codes)
	for _, c := range slices.Compact(codes) {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{c})
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func location(p diag.Pos) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifact{URI: strings.TrimPrefix((&url.URL{Path: p.File}).String(), "./")}}}
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: p.Line, StartColumn: p.Col}
	}
	return l
}

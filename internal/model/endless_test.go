package model_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/contractkit/contractkit/internal/graph"
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/internal/source"
)

// TestDefaultsOfAlternatives holds that a default which may be read in many ways at each
// depth is not gone through in all combinations of them.
func TestDefaultsOfAlternatives(t *testing.T) {
	const depth = 40
	value := strings.Repeat(`{"l":`, depth) + "1" + strings.Repeat("}", depth)
	var options, members []string
	for i := range 5 {
		options = append(options, fmt.Sprintf(`{"type":"object","properties":{"l":{"$ref":"#/$defs/T"}},"required":["l%d"]}`, i))
		members = append(members, fmt.Sprintf(`"m%d":{"$ref":"#/$defs/T","default":%s}`, i, value))
	}
	text := `{"type":"object","properties":{` + strings.Join(members, ",") + `,"again":{"$ref":"#/$defs/A"}},"$defs":{"T":{"anyOf":[` + strings.Join(options, ",") + `,{"const":1}]},` +
		`"A":{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"array","items":{"$ref":"#/$defs/A"}}],"default":[{"a":1},{}]}}}}}`
	doc, err := source.Parse("a.json", []byte(text), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.NewSet(doc)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Resolve("a", set, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	go func() {
		_, problems := model.Build(g, model.Options{Contract: "a"})
		var codes []string
		for _, d := range problems {
			codes = append(codes, d.Code)
		}
		done <- strings.Join(codes, " ")
	}()
	select {
	case got := <-done:
		if got != "model.endless-default" {
			t.Errorf("problems %q", got)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it takes too long")
	}
}

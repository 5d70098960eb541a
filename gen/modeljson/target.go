// Package modeljson is the target modeljson: the model as JSON, to see what a
// target receives.
package modeljson

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/contractkit/contractkit/gen/emit"
	"github.com/contractkit/contractkit/internal/model"
)

// Target emits the model.
var Target = emit.New("modeljson", "The model that targets receive, as JSON", Emit)

// Options are the keys under "options:" for modeljson; there are none.
type Options struct{}

// Emit returns model.json.
func Emit(m *model.Model, _ Options, _ emit.Context) ([]emit.File, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		return nil, fmt.Errorf("modeljson: %w", err)
	}
	return []emit.File{{Path: "model.json", Data: out.Bytes()}}, nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/contractkit/contractkit/generated/go/catalog"
)

// decoder is a contract with its three ways from bytes to a typed value.
type decoder struct {
	schema       string
	ours, v1, v2 func(data []byte) error
	// complete says that a plain value holds all of data, so that the plain
	// struct does no less work than the generated one.
	complete func(data []byte) error
}

// pair joins a generated Decode function with the plain struct P.
func pair[P, T any](schema string, decode func([]byte) (T, error)) decoder {
	return decoder{
		schema: schema,
		ours:   func(data []byte) error { _, err := decode(data); return err },
		v1:     func(data []byte) error { var p P; return json.Unmarshal(data, &p) },
		v2:     func(data []byte) error { var p P; return jsonv2.Unmarshal(data, &p) },
		complete: func(data []byte) error {
			var p P
			strict := json.NewDecoder(bytes.NewReader(data))
			strict.DisallowUnknownFields()
			if err := strict.Decode(&p); err != nil {
				return err
			}
			text, err := json.Marshal(p)
			if err != nil {
				return err
			}
			var was, is map[string]any
			if err := json.Unmarshal(data, &was); err != nil {
				return err
			}
			if err := json.Unmarshal(text, &is); err != nil {
				return err
			}
			if !reflect.DeepEqual(was, is) {
				return fmt.Errorf("%T loses members of the document", p)
			}
			return nil
		},
	}
}

var decoders = []decoder{
	pair[plainActorRef](catalog.ActorRefSchemaID, catalog.DecodeActorRef),
	pair[plainAnnouncement](catalog.AnnouncementSchemaID, catalog.DecodeAnnouncement),
	pair[plainApp](catalog.AppSchemaID, catalog.DecodeApp),
	pair[plainContextPack](catalog.ContextPackSchemaID, catalog.DecodeContextPack),
	pair[plainCost](catalog.CostEstimateSchemaID, catalog.DecodeCostEstimate),
	pair[plainDecision](catalog.DecisionEnvelopeSchemaID, catalog.DecodeDecisionEnvelope),
	pair[plainEvidenceRef](catalog.EvidenceRefSchemaID, catalog.DecodeEvidenceRef),
	pair[plainRelease](catalog.ReleaseSchemaID, catalog.DecodeRelease),
	pair[plainResourceRef](catalog.ResourceRefSchemaID, catalog.DecodeResourceRef),
	pair[plainWorkRun](catalog.WorkRunSchemaID, catalog.DecodeWorkRun),
}

// decodes measures bytes → typed value: ours, which validates, against bare
// decoding into a hand-written struct, which does not.
func decodes(w io.Writer, opt options) error {
	_, docs, err := readCatalog(opt.root)
	if err != nil {
		return err
	}
	type row struct {
		name         string
		ours, v1, v2 *task
	}
	var rows []row
	var tasks []*task
	for _, d := range decoders {
		for _, doc := range docs {
			// A full document of each contract: the plain struct keeps no null,
			// so what other fixtures are about would not be the same work.
			if doc.schema != d.schema || d.complete(doc.data) != nil {
				continue
			}
			if err := d.ours(doc.data); err != nil {
				return fmt.Errorf("%s: %w", doc.name, err)
			}
			r := row{doc.name, newTask(func() { _ = d.ours(doc.data) }), newTask(func() { _ = d.v1(doc.data) }), newTask(func() { _ = d.v2(doc.data) })}
			rows = append(rows, r)
			tasks = append(tasks, r.ours, r.v1, r.v2)
		}
	}
	for _, t := range tasks {
		t.warm(opt.batch)
	}
	for i := range opt.rounds {
		round(tasks)
		fmt.Fprintf(os.Stderr, "decode: round %d of %d\n", i+1, opt.rounds)
	}
	fmt.Fprintf(w, "## Bytes to typed value: %d fixtures of %d contracts\n\n", len(rows), len(decoders))
	fmt.Fprintln(w, "Time of DecodeX, validation included, as a part of bare decoding into an equal hand-written struct.")
	fmt.Fprintln(w)
	var cells [][]string
	for _, base := range []struct {
		name string
		of   func(r row) *figure
	}{
		{"encoding/json Unmarshal", func(r row) *figure { return r.v1.figure }},
		{"json v2 Unmarshal", func(r row) *figure { return r.v2.figure }},
	} {
		var least, median []float64
		worst, at := 0.0, ""
		ours, theirs := 0.0, 0.0
		for _, r := range rows {
			ratio := r.ours.figure.least() / base.of(r).least()
			least = append(least, ratio)
			median = append(median, r.ours.figure.median()/base.of(r).median())
			ours += r.ours.figure.allocs / float64(len(rows))
			theirs += base.of(r).allocs / float64(len(rows))
			if ratio > worst && !math.IsNaN(ratio) {
				worst, at = ratio, r.name
			}
		}
		cells = append(cells, []string{base.name, times(geomean(least)), times(geomean(median)), times(worst), at, fmt.Sprintf("%.1f : %.1f", ours, theirs)})
	}
	table(w, []string{"ours against", "geometric mean (least)", "(median)", "worst document", "which", "allocations ours : theirs"}, cells)
	if opt.detail {
		cells = nil
		for _, r := range rows {
			cells = append(cells, []string{r.name, micros(r.ours.figure.least()), micros(r.v1.figure.least()), micros(r.v2.figure.least())})
		}
		table(w, []string{"document", "contractkit µs", "encoding/json µs", "json v2 µs"}, cells)
	}
	return nil
}

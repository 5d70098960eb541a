package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// object is a JSON object; encoding/json writes its members in order of names,
// so that a project's bytes are the same in each run.
type object = map[string]any

const projectFile = `version: 1
runtime: import
contracts:
  - {name: synthetic, schemas: schemas, dispatch: schema, assertFormat: true}
targets:
  - {use: go-types, contract: synthetic, out: generated/go/synthetic}
  - {use: go-validators, contract: synthetic, out: generated/go/synthetic}
  - {use: bundle, contract: synthetic, out: artifacts/synthetic}
`

// writeProject writes a project with n schemas of the kind that companies have:
// records of some ten members with enums, patterns, limits, nested objects, lists,
// defaults, references to shared definitions and to other records.
func writeProject(dir string, n int) error {
	folder := filepath.Join(dir, "schemas")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	write := func(path string, v any) error {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), append(data, '\n'), 0o644)
	}
	for path, text := range map[string]string{"contracts.yaml": projectFile, "go.mod": "module example.com/synthetic\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := write("schemas/shared.v1.json", shared()); err != nil {
		return err
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if err := write(fmt.Sprintf("schemas/record_%05d.v1.json", i), record(rnd, i)); err != nil {
			return err
		}
	}
	return nil
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// shared is what the records have in common.
func shared() object {
	return object{
		"$schema": dialect, "$id": "shared.v1", "title": "Shared definitions",
		"$defs": object{
			"slug":  object{"type": "string", "pattern": "^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$", "maxLength": 80},
			"money": object{"title": "Money", "type": "object", "additionalProperties": false, "required": []string{"amount", "currency"}, "properties": object{"amount": object{"type": "integer"}, "currency": object{"type": "string", "pattern": "^[A-Z]{3}$"}}},
			"actor": object{"title": "Actor", "type": "object", "additionalProperties": false, "required": []string{"kind", "id"}, "properties": object{"kind": object{"enum": []string{"human", "agent", "service"}}, "id": object{"type": "string", "minLength": 1}, "name": object{"type": "string"}}},
		},
	}
}

// A maker gives the schema of one member of record i.
type maker = func(rnd *rand.Rand, i int) object

// makers are the kinds of members.
var makers = []maker{
	text, state, moment, list,
	func(rnd *rand.Rand, _ int) object {
		low := rnd.IntN(10)
		return object{"type": "integer", "minimum": low, "maximum": low + rnd.IntN(100_000), "default": low}
	},
	func(*rand.Rand, int) object { return object{"type": "number", "exclusiveMinimum": 0} },
	func(rnd *rand.Rand, _ int) object { return object{"type": "boolean", "default": rnd.IntN(2) == 0} },
	func(rnd *rand.Rand, _ int) object {
		patterns := []string{"^[0-9a-f]{40}$", "^sha256:[0-9a-f]{64}$", "^[A-Z]{2,4}-[0-9]{1,6}$", `^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$`, "^https?://[^ ]+$"}
		return object{"type": "string", "pattern": patterns[rnd.IntN(len(patterns))]}
	},
	func(rnd *rand.Rand, _ int) object {
		return object{"$ref": "shared.v1#/$defs/" + []string{"slug", "money", "actor"}[rnd.IntN(3)]}
	},
	func(rnd *rand.Rand, i int) object {
		if i == 0 {
			return object{"type": []string{"string", "null"}}
		}
		return object{"$ref": fmt.Sprintf("record_%05d.v1", max(0, i-1-rnd.IntN(20)))}
	},
	func(rnd *rand.Rand, _ int) object {
		return object{"type": "array", "items": object{"type": "string", "minLength": 1}, "maxItems": 1 + rnd.IntN(100), "default": []string{}}
	},
	func(*rand.Rand, int) object {
		return object{"type": "object", "additionalProperties": object{"type": "string"}}
	},
}

func text(rnd *rand.Rand, _ int) object {
	return object{"type": "string", "minLength": 1, "maxLength": 10 + rnd.IntN(200)}
}

func state(rnd *rand.Rand, _ int) object {
	values := []string{"draft", "open", "waiting", "paused", "closed", "failed", "archived"}
	rnd.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
	return object{"enum": values[:2+rnd.IntN(5)]}
}

func moment(*rand.Rand, int) object { return object{"type": "string", "format": "date-time"} }

// list is a list of objects inside the record.
func list(rnd *rand.Rand, i int) object {
	return object{"type": "array", "items": object{"type": "object", "additionalProperties": false, "required": []string{"name"}, "properties": object{
		"name": text(rnd, i), "state": state(rnd, i), "at": moment(rnd, i)}}}
}

func record(rnd *rand.Rand, i int) object {
	words := []string{"title", "state", "owner", "labels", "price", "digest", "version", "url", "dueAt", "parent", "steps", "notes", "limit", "weight", "enabled", "environment"}
	rnd.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	id := fmt.Sprintf("record_%05d.v1", i)
	properties := object{
		"schema":    object{"const": id},
		"id":        object{"type": "string", "minLength": 1, "description": "Id of the document, unique for its maker."},
		"createdAt": object{"type": "string", "format": "date-time", "description": "When the document was made."},
	}
	required := []string{"schema", "id", "createdAt"}
	for k, word := range words[:6+rnd.IntN(7)] {
		member := makers[rnd.IntN(len(makers))](rnd, i)
		member["description"] = "What is known of the record's " + word + "."
		properties[word] = member
		if k < 2 && member["$ref"] == nil {
			required = append(required, word)
		}
	}
	return object{
		"$schema": dialect, "$id": id, "title": fmt.Sprintf("Record %05d", i), "description": "A record that nobody needs but everybody has.",
		"type": "object", "additionalProperties": rnd.IntN(3) == 0, "required": required, "properties": properties,
	}
}

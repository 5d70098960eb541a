package rules

import (
	"bytes"
	"encoding/json"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Prepared returns a function that evaluates the rule of a valid case once with the
// interpreter, for measuring; nil for rules that are more than one expression. With
// plain the document is Go maps and slices, else it is typed by its schema. done
// gives the document's memory back.
func (e *Evaluator) Prepared(c *Case, plain bool) (eval func() bool, done func()) {
	checked, p := &e.set.Checked[c.Rule], &e.programs[c.Rule]
	program := p.check
	if program == nil {
		program = p.offenders
	}
	if program == nil || len(p.binders) > 0 || checked.Rule.OptionalOldSelf || c.Schema != checked.Schemas[0] {
		return nil, nil
	}
	vars := map[string]any{}
	var held []*contract.Validator
	done = func() {
		for _, v := range held {
			v.Release()
		}
	}
	for name, text := range map[string][]byte{"self": c.Docs[0], "oldSelf": c.Old} {
		if text == nil {
			continue
		}
		text = e.in.Complete(c.Schema, text)
		if plain {
			vars[name] = native(text)
			continue
		}
		v := contract.Acquire()
		held = append(held, v)
		if v.Load(text, contract.Limits{}) != nil {
			return nil, done
		}
		vars[name] = e.set.t.value(&v.Doc, contract.Root, checked.Self)
	}
	activation, err := cel.NewActivation(vars)
	if err != nil {
		return nil, done
	}
	offenders := p.check == nil
	return func() bool {
		out, _, err := program.Eval(activation)
		if err != nil {
			return false
		}
		if offenders {
			l, ok := out.(interface{ Size() ref.Val })
			return ok && l.Size() == types.IntZero
		}
		return out == types.True
	}, done
}

// native is a document as encoding/json reads it, whole numbers as integers.
func native(text []byte) any {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return numbers(v)
}

func numbers(v any) any {
	switch x := v.(type) {
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return i
		}
		f, _ := x.Float64()
		return f
	case []any:
		for i := range x {
			x[i] = numbers(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = numbers(x[k])
		}
	}
	return v
}

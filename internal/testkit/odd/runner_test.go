package odd

// runner is the part of the emitted program that is the same for all packages: it
// holds every entry point of a type against every other.
const runner = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"odd/contract"
)

// root is what every root type has.
type root[T any] interface {
	*T
	json.Unmarshaler
	json.Marshaler
	Validate() error
	AppendJSON([]byte) []byte
}

type judge func(data []byte) verdict

var judges = map[string]judge{}

type verdict struct {
	Valid  bool
	Error  string
	Output string // the decoded value, marshalled
	Parsed string // the parsed value, marshalled
	Wrong  string // what does not fit together
}

func register[T any, P root[T]](name string, validate func([]byte) contract.Issues, decode, parse func([]byte) (T, error)) {
	byHand(name, "zero", P(new(T)), validate)
	judges[name] = func(data []byte) (v verdict) {
		wrong := func(format string, args ...any) {
			if v.Wrong == "" {
				v.Wrong = fmt.Sprintf(format, args...)
			}
		}
		defer func() {
			if r := recover(); r != nil {
				wrong("panic: %v", r)
			}
		}()
		issues := validate(data)
		v.Valid = len(issues) == 0
		if !v.Valid {
			v.Error = issues.Err().Error()
		}
		for _, i := range issues {
			if i.Offset < 0 || i.Offset > len(data) || i.Code == "" || i.Message == "" {
				wrong("issue %+v", i)
			}
		}
		x, err := decode(data)
		if (err == nil) != v.Valid {
			wrong("Validate says %v, Decode %v", issues, err)
		}
		y, err := parse(data)
		if (err == nil) != v.Valid {
			wrong("Validate says %v, Parse %v", issues, err)
		}
		var z T
		if err := P(&z).UnmarshalJSON(data); (err == nil) != v.Valid {
			wrong("Validate says %v, UnmarshalJSON %v", issues, err)
		}
		if !v.Valid {
			return v
		}
		text, err := P(&x).MarshalJSON()
		if err != nil {
			wrong("MarshalJSON: %v", err)
		}
		v.Output = string(text)
		if other, err := P(&z).MarshalJSON(); err != nil || !bytes.Equal(other, text) {
			wrong("UnmarshalJSON gives %s %v, Decode %s", other, err, text)
		}
		if other := P(&x).AppendJSON([]byte("+")); string(other) != "+"+v.Output {
			wrong("AppendJSON gives %s", other)
		}
		if other, err := json.Marshal(x); err != nil || !json.Valid(other) {
			wrong("json.Marshal gives %s %v", other, err)
		}
		if err := P(&x).Validate(); err != nil {
			wrong("the decoded value is not valid: %v", err)
		}
		if again, err := decode(text); err != nil {
			wrong("what it marshals to, %s, is not valid: %v", text, err)
		} else if other, _ := P(&again).MarshalJSON(); !bytes.Equal(other, text) {
			wrong("the second round trip gives %s, the first %s", other, text)
		}
		parsed, err := P(&y).MarshalJSON()
		if err != nil || !json.Valid(parsed) {
			wrong("the parsed value marshals to %s %v", parsed, err)
		}
		v.Parsed = string(parsed)
		if issues := validate(parsed); (len(issues) == 0) != (P(&y).Validate() == nil) {
			wrong("the parsed value: %v", issues)
		}
		return v
	}
}

// byHand holds that a value's own verdict is that of the text it marshals to.
func byHand[T any, P root[T]](name, what string, x P, validate func([]byte) contract.Issues) {
	text, err := x.MarshalJSON()
	if err != nil || !json.Valid(text) {
		panic(fmt.Sprintf("%s: the %s value marshals to %s %v", name, what, text, err))
	}
	if issues, err := validate(text), x.Validate(); (len(issues) == 0) != (err == nil) {
		panic(fmt.Sprintf("%s: the %s value: %v, but %s: %v", name, what, err, text, issues))
	}
}

func main() {
	var asks []struct{ Package, Data string }
	if err := json.NewDecoder(os.Stdin).Decode(&asks); err != nil {
		panic(err)
	}
	verdicts := make([]verdict, len(asks))
	for i, a := range asks {
		verdicts[i] = judges[a.Package]([]byte(a.Data))
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
`

package pack

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// swapper is a resolver that puts other packs in the place of those judged.
type swapper struct {
	swap func(EntryRequest)
	seen *string // version of the pack in the authority
}

func (s swapper) Tool(req EntryRequest) (Handler, error) {
	s.swap(req)
	return func(_ context.Context, auth ExecutionAuthority, _ []byte) (Output, error) {
		*s.seen = auth.PackVersion()
		return Output{Success: true}, nil
	}, nil
}

func (swapper) Factory(EntryRequest) error { return nil }

// Manifests have no setters, and yet a pointer lets a whole one be overwritten. What
// the gate has judged is registered all the same.
func TestJudgedPacksCannotBeSwapped(t *testing.T) {
	later := strings.NewReplacer("version: 1.0.0", "version: 2.0.0", "^6.0.0", "^9.0.0", "data/**", "**")
	a, b := accept(t, trusted("a")), accept(t, trusted("b"))
	other := accept(t, later.Replace(trusted("b")))
	judged := b.Manifest()
	for name, swap := range map[string]func(EntryRequest){
		"nothing":             func(EntryRequest) {},
		"parsed":              func(EntryRequest) { *b = *other },
		"parsed, not to read": func(EntryRequest) { *b = Parsed{} },
		"manifest":            func(EntryRequest) { *judged = *other.Manifest() },
		"manifest, zero":      func(EntryRequest) { *judged = Manifest{} },
		"manifest of request": func(r EntryRequest) { *r.Pack = *other.Manifest() },
	} {
		t.Run(name, func(t *testing.T) {
			*b = *accept(t, trusted("b"))
			judged = b.Manifest()
			k := must(NewKernel(Config{Host: hostWith(vouch(t, NewRegistry(), a, b))}))
			var version string
			if err := k.Register(installed(a, b), swapper{swap, &version}); err != nil {
				t.Fatal(err)
			}
			swap(EntryRequest{Pack: judged}) // and once more, between gate and call
			if _, err := k.Dispatch(t.Context(), call("b:run")); err != nil || version != "1.0.0" {
				t.Errorf("version %q, %v", version, err)
			}
		})
	}
}

// An output is judged as it is returned: what its maker writes later does not count.
func TestOutputIsTakenAway(t *testing.T) {
	data, details := []byte(`{"a":1}`), []byte(`{}`)
	own := &ToolError{Code: "E", Message: "m", Details: details}
	k, _ := newTestKernel(t, func(context.Context, ExecutionAuthority, []byte) (Output, error) {
		return Output{Data: data, Metadata: details, Error: own}, nil
	}, accept(t, trusted("a")))
	out, err := k.Dispatch(t.Context(), call("a:run"))
	if err != nil {
		t.Fatal(err)
	}
	copy(data, "]]]")
	copy(details, "]]")
	own.Code = "F"
	if string(out.Data) != `{"a":1}` || string(out.Metadata) != "{}" || string(out.Error.Details) != "{}" || out.Error.Code != "E" {
		t.Errorf("%+v", out)
	}
}

// A refusal always says why, also when an isolated host's own does not.
func TestRefusalsHaveCodes(t *testing.T) {
	p := accept(t, isolatedText("box"))
	for _, err := range []error{&Refusal{}, (*Refusal)(nil), errors.Join(&Refusal{Message: "x"})} {
		k := must(NewKernel(Config{Host: hostWith(vouch(t, NewRegistry(), p)), Isolated: hostFunc(
			func(context.Context, IsolatedRequest) (IsolatedResponse, error) { return IsolatedResponse{}, err })}))
		mustRegister(t, k, nil, p)
		refused(t, k, call("box:run"), CodeToolExecutionFailed)
	}
	if code := CodeOf((*Refusal)(nil)); code != "" {
		t.Errorf("nil has the code %q", code)
	}
}

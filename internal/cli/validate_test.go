package cli

import (
	"errors"
	"testing"

	"github.com/contractkit/contractkit/internal/diag"
)

// Only errors are counted, and the first of them is what is said.
func TestFirstLine(t *testing.T) {
	d := func(severity diag.Severity, message, hint string) diag.Diagnostic {
		return diag.Diagnostic{Severity: severity, Code: "x.y", Message: message, Hint: hint}
	}
	warning, one, two, three := d(diag.Warning, "slow", "w"), d(diag.Error, "one", "first"), d(diag.Error, "two", ""), d(diag.Error, "three", "")
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("no list"), "no list"},
		{diag.List{warning, one, warning}, "error: one [x.y]; hint: first"},
		{diag.List{one, warning, two}, "error: one [x.y] (and one more error); hint: first"},
		{diag.List{warning, two, one, three}, "error: two [x.y] (and 2 more errors)"},
		{diag.List{warning}, "warning: slow [x.y]"},
	} {
		if got := inOneLine(tt.err); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.err, got, tt.want)
		}
	}
}

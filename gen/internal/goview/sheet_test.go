package goview

import (
	"bytes"
	"testing"

	"github.com/dave/jennifer/jen"
)

// TestSheet settles a file at every place and nowhere: its text must be the same,
// and that of a file which keeps its trees.
func TestSheet(t *testing.T) {
	v := &View{Package: "p", Runtime: "example.com/contract"}
	declarations := []func(f *jen.File){
		func(f *jen.File) { f.Const().Id("importance").Op("=").Lit(1) }, // begins like an import, but for the line break
		func(f *jen.File) { f.Var().Id("x").Add(v.RT("Value")) },
		func(f *jen.File) {
			f.Add(Remark("a of %s", "b"))
			f.Func().Id("a").Params().Block(jen.Qual("regexp", "MustCompile").Call(jen.Lit("x")))
		},
		func(f *jen.File) {}, // nothing to settle
		func(f *jen.File) { f.Var().Id("y").Add(v.RT("Value")) },
		func(f *jen.File) { f.Func().Id("c").Params().Block(jen.Qual("math/bits", "Len").Call(jen.Lit(1))) },
	}
	whole := v.NewFile("s.json")
	for _, declare := range declarations {
		declare(whole)
	}
	var want bytes.Buffer
	if err := whole.Render(&want); err != nil {
		t.Fatal(err)
	}
	for places := range 1 << len(declarations) {
		s := v.NewSheet("s.json")
		for i, declare := range declarations {
			if places>>i&1 == 1 {
				if err := s.Settle(); err != nil {
					t.Fatal(err)
				}
			}
			declare(s.File)
		}
		got, err := s.Format()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("settled before %b:\n%s\nwant\n%s", places, got, want.Bytes())
		}
	}
}

func TestSheetReportsBrokenSource(t *testing.T) {
	s := (&View{Package: "p"}).NewSheet("s.json")
	s.Func().Id("not a name").Params().Block()
	if _, err := s.Format(); err == nil {
		t.Fatal("a file that is no Go is returned")
	}
}

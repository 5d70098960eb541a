package model

import (
	"slices"

	"github.com/contractkit/contractkit/internal/diag"
)

// TermKind is the kind of a CEL type.
type TermKind string

// The kinds of CEL types.
const (
	TermDyn       TermKind = "dyn"
	TermNull      TermKind = "null"
	TermBool      TermKind = "bool"
	TermInt       TermKind = "int"
	TermUint      TermKind = "uint"
	TermDouble    TermKind = "double"
	TermString    TermKind = "string"
	TermBytes     TermKind = "bytes"
	TermTimestamp TermKind = "timestamp"
	TermDuration  TermKind = "duration"
	TermList      TermKind = "list"
	TermMap       TermKind = "map"
	TermObject    TermKind = "object" // Term.Object says which
	TermType      TermKind = "type"
	TermOptional  TermKind = "optional"
	TermOpaque    TermKind = "opaque" // Term.Name says which: a value only functions make
)

// Term is a CEL type. Terms of values in documents also say how JSON is read.
type Term struct {
	Kind     TermKind `json:"kind"`
	Nullable bool     `json:"nullable,omitempty"` // the value may be null all the same
	Date     bool     `json:"date,omitempty"`     // a timestamp written as a date
	Most     int      `json:"most,omitempty"`     // of a list or map: the schema's greatest count; 0 for none
	Set      bool     `json:"set,omitempty"`      // of a list: order means nothing, and no element comes twice
	Keys     []string `json:"keys,omitempty"`     // of a list: entries that have these members in common are one
	Elem     *Term    `json:"elem,omitempty"`     // of a list or optional; the values of a map
	Key      *Term    `json:"key,omitempty"`      // of a map
	Object   int      `json:"object,omitempty"`   // index in Model.Views
	Name     string   `json:"name,omitempty"`
	Values   []string `json:"-"` // of a string: all that its enum allows; nil for any
}

// View is an object type as rules see it.
type View struct {
	Name   string      `json:"name"` // unique
	Fields []ViewField `json:"fields"`
}

// ViewField is a member that rules may read.
type ViewField struct {
	Name     string `json:"name"` // on the wire
	Ident    string `json:"ident"`
	Term     *Term  `json:"term"`
	Optional bool   `json:"optional,omitempty"`
}

// ExprOp says what an Expr does.
type ExprOp string

// The operations. Macros that only loop keep their form, so that targets can write loops.
const (
	ExprConst   ExprOp = "const"   // Value, of the type Term
	ExprVar     ExprOp = "var"     // Name
	ExprSelect  ExprOp = "select"  // Args[0].Name; a wire name for objects
	ExprHas     ExprOp = "has"     // has(Args[0].Name)
	ExprCall    ExprOp = "call"    // the CEL function Name
	ExprDef     ExprOp = "def"     // the registry's function Name
	ExprList    ExprOp = "list"    // of Args; Optional says which are optional
	ExprMap     ExprOp = "map"     // of Args, key and value in turn
	ExprAnd     ExprOp = "and"     // Args[0] && Args[1]
	ExprOr      ExprOp = "or"      // Args[0] || Args[1]
	ExprNot     ExprOp = "not"     // !Args[0]
	ExprCond    ExprOp = "cond"    // Args[0] ? Args[1] : Args[2]
	ExprAll     ExprOp = "all"     // Args[0].all(Vars, Args[1])
	ExprExists  ExprOp = "exists"  // Args[0].exists(Vars, Args[1])
	ExprOne     ExprOp = "one"     // Args[0].exists_one(Vars, Args[1])
	ExprFilter  ExprOp = "filter"  // Args[0].filter(Vars, Args[1])
	ExprMapList ExprOp = "mapList" // Args[0].map(Vars, Args[1] the condition, Args[2] the element)
	ExprFold    ExprOp = "fold"    // Args: range, start, condition, step, result; Accu names the accumulator
	ExprBind    ExprOp = "bind"    // Accu is Args[0] in Args[1]
)

// Expr is a type-checked CEL expression.
type Expr struct {
	Op       ExprOp   `json:"op"`
	Term     *Term    `json:"term"`
	Name     string   `json:"name,omitempty"`
	Value    string   `json:"value,omitempty"` // of a constant: its text; bytes raw
	Args     []*Expr  `json:"args,omitempty"`
	Vars     []string `json:"vars,omitempty"` // of loops: one or two
	Accu     string   `json:"accu,omitempty"`
	Optional []int    `json:"optional,omitempty"` // indices of optional entries
	At       int      `json:"-"`                  // byte offset in the text of the rule
}

// Reads reports whether e reads a variable of that name from outside.
func (e *Expr) Reads(name string) bool {
	if e == nil {
		return false
	}
	if e.Op == ExprVar {
		return e.Name == name
	}
	own := e.Accu == name || slices.Contains(e.Vars, name)
	for i, a := range e.Args {
		if own && i > 0 && !(e.Op == ExprFold && i == 1) {
			break // the rest is within the loop
		}
		if a.Reads(name) {
			return true
		}
	}
	return false
}

// Invariant is a rule of the registry.
type Invariant struct {
	ID        string   `json:"id"`
	Schema    Ref      `json:"schema"`
	SchemaURI string   `json:"schemaURI"` // location of the schema
	Scope     string   `json:"scope"`
	Self      *Term    `json:"self"`
	Binders   []Binder `json:"binders,omitempty"`

	Rule       string     `json:"rule,omitempty"` // as written
	Check      *Expr      `json:"check,omitempty"`
	Offenders  string     `json:"offenders,omitempty"` // as written
	List       *Expr      `json:"list,omitempty"`
	Message    string     `json:"message"`
	MessageBy  *Expr      `json:"messageBy,omitempty"`
	MessageCEL string     `json:"messageExpression,omitempty"` // as written
	Path       []PathPart `json:"path,omitempty"`
	PathText   string     `json:"pathText,omitempty"`
	Reason     string     `json:"reason,omitempty"`
	Since      string     `json:"since,omitempty"`
	Doc        string     `json:"doc,omitempty"`
	MayLackOld bool       `json:"optionalOldSelf,omitempty"`
	ReadsOld   bool       `json:"readsOld,omitempty"`
	Native     string     `json:"native,omitempty"`
	FailsAt    bool       `json:"failsAtSelf,omitempty"` // a rule that cannot be evaluated is reported at self, whatever Path says
	Pos        diag.Pos   `json:"-"`
}

// Unbound are the variables of loops that are not there where the loop of Binders at depth
// cannot be run; with a depth beyond them, where the offenders cannot be found.
func (inv *Invariant) Unbound(depth int) []string {
	names := []string{"at"}
	for _, b := range inv.Binders[min(depth, len(inv.Binders)):] {
		names = append(names, b.As)
		if b.Index != "" {
			names = append(names, b.Index)
		}
	}
	return names
}

// Known is how many of the first parts of Path can be told without those variables.
func (inv *Invariant) Known(unbound []string) int {
	for i, p := range inv.Path {
		if slices.ContainsFunc(unbound, p.Expr.Reads) {
			return i
		}
	}
	return len(inv.Path)
}

// Binder is a loop around a rule.
type Binder struct {
	As    string `json:"as"`
	Index string `json:"index,omitempty"`
	In    *Expr  `json:"in"`
	Text  string `json:"text"` // as written
}

// PathPart is one step of an issue's path: Name, or the value of Expr.
type PathPart struct {
	Name string `json:"name,omitempty"`
	Expr *Expr  `json:"expr,omitempty"`
}

// Def is a named sub-expression of the registry.
type Def struct {
	Name   string   `json:"name"`
	Params []string `json:"params,omitempty"`
	Types  []string `json:"types,omitempty"` // as written
	Terms  []*Term  `json:"terms,omitempty"`
	Expr   *Expr    `json:"expr"`
	Text   string   `json:"text"` // as written
	Doc    string   `json:"doc,omitempty"`
}

// RegistryFile is a file that invariants come from.
type RegistryFile struct {
	Path   string `json:"path"`
	Digest string `json:"digest"` // sha256:<hex> of the file's bytes
}

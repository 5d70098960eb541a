package cel

import (
	"time"

	"github.com/contractkit/contractkit/runtime/contract"
)

// DefaultSteps is the step budget of a Ctx: about a second of work.
const DefaultSteps = 10_000_000

// Ctx is the state of one evaluation: the documents that views refer to, and the steps
// that are left. The zero Ctx has no documents and the default budget. A Ctx may be used
// again after Reset, but not by two goroutines at once.
type Ctx struct {
	docs     []*contract.Doc
	now, was table           // where members are, of the first two documents
	nothing  []contract.Node // the members of what is not there
	words    []byte          // a name that is searched for
	text     []byte          // canonical JSON
	members  []member
	lists    arena
	tables   []*table64
	limit    int
	spent    int
	earlier  int              // spent before the last issue of the same rule
	total    int              // spent by earlier rules of the same document
	last     place            // the element that was indexed last
	names    map[at]nameIndex // the members of large objects that were looked into
	zones    map[string]*time.Location
}

// at names a value of one of the documents.
type at struct {
	doc  uint64
	node contract.Node
}

type nameIndex map[string]contract.Node

// place remembers where element i of the array list stands, so that indexing an array in
// order is not quadratic.
type place struct {
	list at
	i    int64
	node contract.Node
	set  bool
}

// Reset makes c ready to evaluate rules over doc, and over further documents that
// FromDoc names by number; doc is number 0. Values of earlier documents must not be used
// any more.
func (c *Ctx) Reset(doc *contract.Doc, more ...*contract.Doc) {
	c.docs = append(append(c.docs[:0], doc), more...)
	c.now.reset(c.tokens(0))
	c.was.reset(c.tokens(1))
	c.last.set = false
	clear(c.names)
	c.Refill()
	c.spent, c.total = 0, 0
}

// SetSteps sets the step budget of one evaluation; 0 means DefaultSteps.
func (c *Ctx) SetSteps(n int) {
	c.limit = n
	c.spent, c.earlier, c.total = 0, 0, 0
	c.Refill()
}

// Refill gives c its full budget back, for the next rule over the same documents,
// unless the rules before have spent what is there for all. Lists that rules made
// before must not be used any more.
func (c *Ctx) Refill() {
	if c.spent|c.earlier != 0 || c.lists.lent { // few rules spend anything
		c.next()
	}
}

// next is Refill after a rule that has spent something.
func (c *Ctx) next() {
	if !c.starved() {
		c.total += c.spent + c.earlier
	}
	c.spent, c.earlier = 0, 0
	if c.starved() {
		c.spent = c.budget() + 1
	}
	if c.lists.lent {
		c.lists.reset()
	}
}

// maxBudgets bounds the work of all rules over one document, in budgets. The largest
// documents of the catalog that are known draw a twentieth of one.
const maxBudgets = 10

// budget is the step budget of one evaluation.
func (c *Ctx) budget() int {
	if c.limit <= 0 {
		return DefaultSteps
	}
	return c.limit
}

// starved reports whether the rules have spent what is there for all of them.
func (c *Ctx) starved() bool { return c.total > maxBudgets*c.budget() }

// maxRefills bounds the work of one rule over all of its issues, in budgets.
const maxRefills = 8

// refill gives the budget back to a rule that goes on after an issue.
func (c *Ctx) refill() {
	c.earlier += c.spent
	if c.earlier/maxRefills <= c.budget() && c.total+c.earlier <= maxBudgets*c.budget() {
		c.spent = 0
	}
}

// Step draws one step from the budget; false means that it is spent, and the evaluation
// must end with Exceeded.
func (c *Ctx) Step() bool { return c.spend(1) }

// Exceeded returns the error of an evaluation that has no steps left.
func Exceeded() Val { return errLimit }

// spend draws n steps. Once too many were drawn, none are left.
func (c *Ctx) spend(n int) bool {
	if c.limit <= 0 {
		c.limit = DefaultSteps
	}
	if n > c.limit-c.spent {
		c.spent = c.limit + 1
		return false
	}
	c.spent += n
	return true
}

// spendText draws for one pass over n bytes, which are cheaper than values.
func (c *Ctx) spendText(n int) bool { return c.spend(n/16 + 1) }

// spendMade draws for n bytes of text that a function makes, which have to be held too:
// texts that grow from call to call end before they fill the memory.
func (c *Ctx) spendMade(n int) bool { return c.spend(n/4 + 1) }

// tokens is the length of a document's tape.
func (c *Ctx) tokens(doc int) int {
	if doc < len(c.docs) && c.docs[doc] != nil {
		return c.docs[doc].Tokens()
	}
	return 0
}

package cel

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/contractkit/contractkit/runtime/contract"
)

// Run is one evaluation of a contract's rules over a document: what generated rule
// functions are handed.
type Run struct {
	Ctx
	V   *contract.Validator // the document, complete and valid in structure
	Old *contract.Validator // the document before, in a transition; else nil

	issues contract.Issues
	ended  bool // an issue says that the rules were not all evaluated

	alone   bool     // rules of changes are left out
	changes [][2]int // which issues are of rules of changes, from and to

	pointed bool // path is the pointer of at
	at      contract.Node
	path    string
}

// Rules goes through the value n and what is below it. was is the value before,
// or Nowhere.
type Rules = func(r *Run, n, was contract.Node)

var runs = sync.Pool{New: func() any { return new(Run) }}

// maxIssues bounds what one document can make its rules report.
const maxIssues = 1000

// Validate returns what is wrong with data by the check, and if nothing is by the
// rules, which speak of the document as complete leaves it. complete is nil for schemas
// that have neither defaults nor normalisations.
func Validate(data []byte, check contract.Check, complete contract.Completer, rules Rules) contract.Issues {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return issues
	}
	return Check(v, check, complete, rules)
}

// Check is Validate for a document that is loaded.
func Check(v *contract.Validator, check contract.Check, complete contract.Completer, rules Rules) contract.Issues {
	if issues := v.Run(contract.Root, check); issues != nil {
		return issues
	}
	w, issues := v.Complete(complete)
	if issues != nil {
		return issues
	}
	if w != v {
		defer w.Release()
	}
	return apply(v, w, nil, rules, all)
}

// Decode validates data by the check and the rules, and calls fill to turn it into a
// value, or returns an *Error; see [contract.Decode].
func Decode(data []byte, check contract.Check, complete contract.Completer, rules Rules, fill func(d *contract.Decoder)) error {
	v := contract.Acquire()
	defer v.Release()
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return issues.Err()
	}
	if issues := Check(v, check, complete, rules); issues != nil {
		return issues.Err()
	}
	return v.Decode(fill)
}

// ValidateMember validates data by the schema that its member names; see
// contract.ValidateMember.
func ValidateMember(data []byte, member string, find func(id string) func([]byte) contract.Issues) (id string, issues contract.Issues) {
	id, issues = contract.SchemaID(data, member)
	if issues != nil {
		return "", issues
	}
	validate := find(id)
	if validate == nil {
		issues = contract.UnknownSchema(id)
		issues[0].Path = "/" + contract.PointerToken(member)
		return id, issues
	}
	return id, validate(data)
}

// Transition returns what is wrong with data as the document that takes the place of
// old. Both have to be valid by themselves, in structure and by the rules of documents:
// rules speak of sound documents only. What is wrong with old has paths below /oldSelf
// and offsets in old, and comes first. Where nothing is, follow the rules of the change.
func Transition(old, data []byte, check contract.Check, complete contract.Completer, rules Rules) contract.Issues {
	return change(old, data, check, complete, rules, true)
}

// Update is Transition where old is not judged: for documents that have been judged
// already, and for the profile in which what is stored stands. old has to be JSON; where
// it is that and no more, it is not completed. The rules of the change are asked also
// where those of data are broken.
func Update(old, data []byte, check contract.Check, complete contract.Completer, rules Rules) contract.Issues {
	return change(old, data, check, complete, rules, false)
}

// Both is Transition for documents of whose changes no rule speaks: before judges old,
// and after the document that takes its place.
func Both(old, data []byte, before, after func([]byte) contract.Issues) contract.Issues {
	return append(ofOld(before(old)), after(data)...)
}

func change(old, data []byte, check contract.Check, complete contract.Completer, rules Rules, strict bool) contract.Issues {
	before, v := contract.Acquire(), contract.Acquire()
	defer before.Release()
	defer v.Release()
	was, read, wrong := sound(before, old, check, complete)
	if was != before {
		defer was.Release()
	}
	switch {
	case wrong == nil && strict:
		wrong = apply(before, was, nil, rules, byItself)
	case read && !strict:
		wrong = nil
	}
	w, _, issues := sound(v, data, check, complete)
	if w != v {
		defer w.Release()
	}
	switch {
	case issues != nil:
	case wrong != nil:
		issues = apply(v, w, nil, rules, byItself)
	case strict:
		issues = apply(v, w, was, rules, thenChanges)
	default:
		issues = apply(v, w, was, rules, all)
	}
	return append(ofOld(wrong), issues...)
}

// sound loads a document into v and completes it, or returns what is wrong with its
// structure; read says that it is JSON, at least. The other validator holds it as
// completed, or is v.
func sound(v *contract.Validator, data []byte, check contract.Check, complete contract.Completer) (w *contract.Validator, read bool, issues contract.Issues) {
	if issues := v.Load(data, contract.Limits{}); issues != nil {
		return v, false, issues
	}
	if issues := v.Run(contract.Root, check); issues != nil {
		return v, true, issues
	}
	if w, issues = v.Complete(complete); issues != nil {
		return v, true, issues
	}
	return w, true, nil
}

// which rules count.
type which uint8

const (
	all         which = iota
	byItself          // not those of changes
	thenChanges       // those of changes where no other is broken
)

// apply returns the violations of a document, given as it was and as completed, that
// takes the place of old, if any.
func apply(given, full, old *contract.Validator, rules Rules, count which) contract.Issues {
	r := acquire(full, old)
	defer r.release()
	was := Nowhere
	if old != nil {
		was = contract.Root
	}
	r.alone = count == byItself
	rules(r, contract.Root, was)
	if count == thenChanges {
		r.dropChanges()
	}
	return r.found(given)
}

// Change applies a rule of changes.
func (r *Run) Change(rule Rules, n, was contract.Node) {
	if r.alone {
		return
	}
	before := len(r.issues)
	if rule(r, n, was); len(r.issues) > before {
		r.changes = append(r.changes, [2]int{before, len(r.issues)})
	}
}

// dropChanges removes the issues of rules of changes where there are others. What says
// that the rules were not all evaluated stays.
func (r *Run) dropChanges() {
	of := 0
	for _, c := range r.changes {
		of += c[1] - c[0]
	}
	if of == len(r.issues) || r.ended {
		return
	}
	for i := len(r.changes) - 1; i >= 0; i-- {
		r.issues = slices.Delete(r.issues, r.changes[i][0], r.changes[i][1])
	}
}

// ofOld puts issues at the document before.
func ofOld(issues contract.Issues) contract.Issues {
	for i := range issues {
		issues[i].Path = "/oldSelf" + issues[i].Path
	}
	return issues
}

// ValidateList applies rules to a list of documents: a history or a set. Each
// document has to be valid by itself; its issues have paths below /<index>.
func ValidateList(docs [][]byte, shape *Shape, complete contract.Completer, validate func([]byte) contract.Issues, rules func(r *Run, self Val)) contract.Issues {
	if issues := each(docs, validate); issues != nil {
		return issues
	}
	return whole(docs, shape, complete, rules)
}

// each validates documents by themselves.
func each(docs [][]byte, validate func([]byte) contract.Issues) (issues contract.Issues) {
	for i, data := range docs {
		if len(issues) >= maxIssues {
			break
		}
		if issues = append(issues, below(i, validate(data))...); cutShort(issues) {
			break
		}
	}
	return issues
}

// cutShort reports whether the rules of the last document were not all evaluated.
func cutShort(issues contract.Issues) bool {
	return len(issues) > 0 && strings.HasSuffix(issues[len(issues)-1].Message, spentMessage)
}

// below puts issues at the document i of a list.
func below(i int, issues contract.Issues) contract.Issues {
	for k := range issues {
		issues[k].Path = "/" + strconv.Itoa(i) + issues[k].Path
	}
	return issues
}

// whole applies rules to a list of documents that are valid.
func whole(docs [][]byte, shape *Shape, complete contract.Completer, rules func(r *Run, self Val)) contract.Issues {
	r := new(Run)
	var parsed []*contract.Doc
	for _, data := range docs {
		v := contract.Acquire()
		defer v.Release()
		if issues := v.Load(data, contract.Limits{}); issues != nil {
			return issues
		}
		w, issues := v.Complete(complete)
		if issues != nil {
			return issues
		}
		if w != v {
			defer w.Release()
		}
		parsed = append(parsed, &w.Doc)
		if r.V == nil {
			r.V = w
		}
	}
	if len(parsed) == 0 {
		r.V = contract.Acquire() // without a document
		defer r.V.Release()
		r.Reset(&r.V.Doc)
		rules(r, List(nil))
		return r.issues
	}
	r.Reset(parsed[0], parsed[1:]...)
	list := make([]Val, len(docs))
	for i := range list {
		list[i] = r.FromDoc(i, contract.Root, shape)
	}
	rules(r, List(list))
	return r.issues
}

func acquire(v, old *contract.Validator) *Run {
	r := runs.Get().(*Run)
	r.V, r.Old, r.issues = v, old, nil
	r.ended, r.pointed, r.path = false, false, ""
	r.alone, r.changes = false, r.changes[:0]
	if old != nil {
		r.Reset(&v.Doc, &old.Doc)
	} else {
		r.Reset(&v.Doc)
	}
	return r
}

// NewRun returns a run over loaded documents that are valid in structure, for
// programs that call single rules; old may be nil.
func NewRun(v, old *contract.Validator) *Run { return acquire(v, old) }

// Issues returns what the rules have reported so far.
func (r *Run) Issues() contract.Issues { return r.issues }

func (r *Run) release() {
	r.now.keep(1 << 18)
	r.was.keep(1 << 18)
	r.V, r.Old, r.issues, r.path = nil, nil, nil, ""
	runs.Put(r)
}

// found returns the issues, with offsets in the document as it was given.
func (r *Run) found(given *contract.Validator) contract.Issues {
	if given == r.V {
		return r.issues
	}
	for i := range r.issues {
		r.issues[i].Offset = given.OffsetOf(r.issues[i].Path)
	}
	return r.issues
}

// spentMessage is what the issue says at which the rules were found to have spent all
// that is there for one document.
const spentMessage = " (the rules of this document take more work than one document may cost, so they were not all evaluated)"

// Violated reports that the value n breaks the rule id. path is what follows the
// value's own pointer.
//
// A new issue fills the step budget up again, for the list of offenders is still
// being run through. One that is known, or for which there is no room, does not: the
// number of offenders must not multiply the time that a rule may take.
//
// Where there are no steps left for the document one issue says so, and is the last:
// rules that cannot take a step are not true.
func (r *Run) Violated(n contract.Node, id, location, message, path string) {
	if len(r.issues) >= maxIssues || r.ended {
		return
	}
	switch {
	case r.starved():
		r.ended = true
		message += spentMessage
	case r.limit > 0 && r.spent > r.limit:
		message = failedMessage(message)
	}
	issue := contract.Issue{Path: path, Code: contract.Code(id), Keyword: "x-invariants", Location: location, Message: message}
	if n >= 0 && r.V != nil {
		issue.Path = r.pointer(n) + path
		issue.Offset = r.V.Offset(n)
	}
	for _, other := range r.issues {
		if other.Code == issue.Code && other.Path == issue.Path && other.Message == issue.Message {
			r.spend(1 + len(r.issues)/8)
			return // reached in two ways
		}
	}
	r.issues = append(r.issues, issue)
	r.refill()
}

// Failed is Violated for a rule that could not be evaluated, which the message says.
func (r *Run) Failed(n contract.Node, id, location, message, path string) {
	r.Violated(n, id, location, failedMessage(message), path)
}

// failedMessage adds to a message that the rule could not be evaluated.
func failedMessage(message string) string {
	const failed = " (the rule could not be evaluated)"
	return strings.TrimSuffix(message, failed) + failed
}

// pointer is the pointer of n, which is kept: finding it takes a walk from the root.
func (r *Run) pointer(n contract.Node) string {
	if !r.pointed || r.at != n {
		r.pointed, r.at, r.path = true, n, r.V.Pointer(n)
	}
	return r.path
}

// Probes reports whether the value n passes the check. An alternative within alternatives
// is probed at each level, so what that takes is drawn from the budget of the document;
// once it is spent an issue says so, and nothing passes.
func (r *Run) Probes(check contract.Check, n contract.Node) bool {
	r.total += 1 + int(r.V.Next(n)-n)/probed
	if r.starved() {
		r.next()
		r.Violated(n, string(contract.CodeTooLarge), "", "there are too many alternatives", "")
		r.ended = true
		return false
	}
	state := r.V.Probe()
	defer r.V.Resume(state)
	return check(r.V, n)
}

// probed is how many values of an alternative are probed for a step.
const probed = 4

// Member returns the object's member and the same member of the value before.
func (r *Run) Member(n, was contract.Node, name string) (contract.Node, contract.Node) {
	return Member(&r.V.Doc, n, name), r.Before(was, name)
}

// Before returns the member of the value before.
func (r *Run) Before(was contract.Node, name string) contract.Node {
	if was < 0 {
		return Nowhere
	}
	return Member(&r.Old.Doc, was, name)
}

// Entry returns the element of the list before that has the same keys as n.
func (r *Run) Entry(n, was contract.Node, keys ...string) contract.Node {
	if was < 0 {
		return Nowhere
	}
	if old, there := contract.SameEntry(&r.V.Doc, n, &r.Old.Doc, was, keys); there {
		return old
	}
	return Nowhere
}

// OldDoc is the document before; without one, the document itself, which no rule reads then.
func (r *Run) OldDoc() *contract.Doc {
	if r.Old == nil {
		return &r.V.Doc
	}
	return &r.Old.Doc
}

// OldOptional is oldSelf of rules that also apply where there was nothing before.
func (r *Run) OldOptional(was contract.Node, s *Shape) Val {
	if was < 0 {
		return None()
	}
	v := r.FromDoc(1, was, s)
	if v.kind == KindNull {
		return None()
	}
	return r.some(v)
}

// Segment turns the value of a path expression into steps of a JSON Pointer.
func (c *Ctx) Segment(v Val) string {
	switch v.kind {
	case KindString:
		return "/" + contract.PointerToken(v.str)
	case KindInt:
		return "/" + strconv.FormatInt(v.int(), 10)
	case KindList:
		var b strings.Builder
		for it := c.Iter(v); it.Next(); {
			b.WriteString(c.Segment(it.Val()))
		}
		return b.String()
	}
	return ""
}

// Message returns the computed message, or otherwise where there is none.
func Message(v Val, otherwise string) string {
	if v.kind != KindString || strings.TrimSpace(v.str) == "" || strings.Contains(v.str, "\n") {
		return otherwise
	}
	return strings.Clone(v.str)
}

// Matches is true when the pattern's function accepts s.
func Matches(s Str, match func([]byte) bool) bool { return s.OK && match([]byte(s.S)) }

// NotMatches is true when s is there and the pattern's function does not accept it.
func NotMatches(s Str, match func([]byte) bool) bool { return s.OK && !match([]byte(s.S)) }

// ValidateSet applies rules to documents that belong together.
func ValidateSet(docs [][]byte, shape *Shape, complete contract.Completer, validate func([]byte) contract.Issues, rules func(r *Run, self Val)) contract.Issues {
	return ValidateList(docs, shape, complete, validate, rules)
}

// ValidateHistory applies rules to the versions of a document, oldest first. Each
// version has to be valid by itself; then come the rules of the whole and each change,
// whose issues have paths below /<index> of the later version.
func ValidateHistory(docs [][]byte, shape *Shape, complete contract.Completer, validate func([]byte) contract.Issues, transition func(old, data []byte) contract.Issues, rules func(r *Run, self Val)) contract.Issues {
	var issues contract.Issues
	sound := make([]bool, len(docs))
	for i, data := range docs {
		found := below(i, validate(data))
		sound[i] = len(found) == 0
		if issues = append(issues, found...); len(issues) >= maxIssues || cutShort(issues) {
			return issues
		}
	}
	if rules != nil && issues == nil {
		issues = whole(docs, shape, complete, rules)
	}
	if transition == nil {
		return issues
	}
	for i := 1; i < len(docs) && len(issues) < maxIssues; i++ {
		if sound[i-1] && sound[i] { // what is wrong with a version by itself is said already
			if issues = append(issues, below(i, transition(docs[i-1], docs[i]))...); cutShort(issues) {
				break
			}
		}
	}
	return issues
}

// Package cel is what compiled CEL rules call at run time.
//
// A rule is compiled to Go expressions. Where types are known those are plain Go;
// elsewhere they are nested calls of the methods of [Ctx], one for each CEL function,
// which choose an overload by the kinds of their arguments. Values are [Val]; those of
// the document are views of its tape, seen through a [Shape], and are not copied.
//
// An error is a value too: every function returns its first argument that is one, so
// that nested calls need no checks in between. Only And, Or, NotStrictlyFalse and the
// conditional, which the compiler writes as an if, can make an error disappear.
//
// Work is bounded: loops and functions that are not constant in time draw on the step
// budget of the Ctx, and return an error once it is spent.
//
// The package imports the standard library and runtime/contract, because it is copied
// beside the code of people who do not depend on contractkit.
package cel

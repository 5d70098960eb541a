// Package contract is what generated code calls at run time.
//
// JSON bytes enter as a [Doc]: one pass over the text leaves a tape of tokens
// with their offsets, and proves that the text is JSON (RFC 8259), UTF-8, free of
// lone surrogates and of duplicate member names, and inside the [Limits].
// Generated functions then walk the tape through a [Validator], which collects
// [Issues], or decode it into Go values. [Optional], [Nullable], [Integer],
// [Number] and [Value] hold what Go's own types would lose.
//
// The package imports only the standard library, because it is copied beside
// the code of people who do not depend on contractkit.
package contract

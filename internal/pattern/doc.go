// Package pattern turns the regular expressions of JSON Schema into plans for
// fast yes/no searches.
//
// An ECMA-262 pattern in unicode mode enters [Parse]. Out comes a [Pattern]: a
// checked syntax tree with the cheapest [Plan] that decides it, and an
// equivalent RE2 expression. Generators turn the plan into Go code, the command
// line interprets it with [Pattern.MatchString].
//
// # Meaning
//
// A pattern is searched for anywhere in the string, as JSON Schema says; only
// its own ^ and $ anchor it, and these stand for the ends of the text alone.
// Captures are of no interest, so greedy and lazy quantifiers are one. Strings
// are valid UTF-8 (a validator has refused everything else before): on other
// bytes the plans may disagree.
//
// Escapes of punctuation that needs none, a lone brace and a lone bracket are
// taken literally, as browsers do outside unicode mode, because published
// schemas rely on it. An escaped letter without meaning stays an error: it is
// nearly always a construct of another dialect, such as \A or \Z.
package pattern

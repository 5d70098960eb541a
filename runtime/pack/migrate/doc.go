// Package migrate brings the installed state of a pack to the version that its
// manifest declares.
//
// A migration is data. It has a range of versions that it starts from, one version
// that it leads to, and steps of four kinds: rename a state namespace, rename an
// event kind, rename a config key, deprecate a tool. No step names a program, a
// file or a function, and this package has no way to run one.
//
// [Plan] works in memory and writes nothing. [Run] takes the state from a [Store],
// plans, and commits state and receipt together; [FileStore] is the store that
// keeps JSON files, and it comes back from a kill at any moment. The same state and
// the same migrations always give the same receipt, so a second run finds nothing
// to do.
package migrate

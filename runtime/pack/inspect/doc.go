// Package inspect looks at the folder of a pack and says what is wrong with it: the
// checks behind contracts pack validate, for any program that takes packs from
// others.
//
// [Read] lists the files, within limits and without following a link, and computes
// the integrity hash. [Tree.Imports], [Tree.Entries] and [Lint] look for what a pack
// must not do; [Pack] runs all checks in order and returns a [Report].
//
// The checks read text. They keep honest authors inside the rules and make what a
// pack loads visible to a reviewer; what confines code at run time are the gate,
// the authority of a call and the isolated host.
package inspect

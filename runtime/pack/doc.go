// Package pack decides which extension packs a host may register, and whether
// their code may run.
//
// A manifest's text enters [ParseManifest]; what is wrong with it leaves as
// [Diagnostics] with codes, lines and columns. [ValidateRegistration] is the gate
// over all packs of a host. A [Kernel] registers packs that have passed it, and
// dispatches calls of their tools: each under an [ExecutionAuthority] of its own,
// after the trust of the pack was looked up once more.
//
// Nothing that a manifest says grants anything. Trust comes from a [Registry] that
// only host code can fill; what is malformed or unknown means the least. The
// shapes come from schemas/pack through generated/go/pack; rules that a schema
// cannot say are listed in schemas/pack/invariants.md.
package pack

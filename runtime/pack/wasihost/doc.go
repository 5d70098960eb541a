// Package wasihost runs the components of isolated packs: WebAssembly modules for
// WASI preview 1, in this process, on the pure Go runtime wazero. Who does not import
// it does not pay for it; who registers it lets isolated packs run.
//
// A component is a command. It starts with nothing: no arguments but its entry's name,
// no environment, no folder, no clock, no network. The call's input is the JSON text
// on its standard input, its output the JSON text on its standard output; both are
// bounded, and so are what it may write to files and how many files it may hold open.
// What the capabilities grant is added to that, and nothing else:
//
//   - memory: linear memory grows to limit_mb and no further.
//   - time: wazero does not meter instructions. The limit is held against the wall
//     clock from the component's first instruction, which is never less than its
//     processor time; the usage says so (WallAsCPU). Compiling is not counted.
//   - cancellation: when the call's context ends, the component may go on for
//     grace_period_ms and is then stopped, in the middle of a loop if need be.
//     Preview 1 has no way to tell it that it should hurry.
//   - files: paths below the workspace that both the capabilities and the scopes of
//     the call cover. All others are absent. No symbolic link is followed and none
//     can be made; a folder cannot be moved; times are zero without a clock.
//   - environment: the listed names that the host has.
//   - clock: constant, or the real one.
//   - network: preview 1 has no call that opens a connection, so that posture off is
//     kept by construction. With posture allowlist, and a host that has set
//     [Options.Dial], a component connects by opening the file /dev/tcp/HOST:PORT for
//     reading and writing; every other address is refused. There is no look-up of
//     names beside that, no listening and no UDP. Without Dial the component runs
//     without network, or with [Options.RefuseNetwork] not at all.
//   - entropy: random numbers come from the system. They carry no authority, and a
//     component that makes keys must not get predictable ones.
//
// A module that imports anything but wasi_snapshot_preview1 is refused before it runs.
// So is one that states counts which its bytes do not bear out, or asks for large
// tables or many locals: the runtime would make room for them outside of the memory
// that is metered.
package wasihost

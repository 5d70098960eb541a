//go:build unix

package wasihost

import "syscall"

// nonBlock keeps the open of a pipe from waiting for its other end.
const nonBlock = syscall.O_NONBLOCK

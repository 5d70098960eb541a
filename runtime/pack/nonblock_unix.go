//go:build unix

package pack

import "syscall"

// openNonblock keeps opening a pipe from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

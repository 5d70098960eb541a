//go:build unix

package inspect

import "syscall"

const nonBlock = syscall.O_NONBLOCK

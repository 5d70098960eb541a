//go:build !unix

package pack

const openNonblock = 0

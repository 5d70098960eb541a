//go:build !unix

package wasihost

const nonBlock = 0

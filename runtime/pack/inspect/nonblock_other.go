//go:build !unix

package inspect

const nonBlock = 0

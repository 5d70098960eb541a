package main

import "io"

func generates(w io.Writer, opt options) error { return nil }

// Package jsts runs tests in the layout of the JSON Schema Test Suite against
// generated, compiled code: every schema becomes a package, all packages one
// program, and the program judges every instance.
//
// The suite's own data is found by the environment variable CONTRACTKIT_SHARED, or
// beside the checkout; a small collection of our own in testdata/own is always run.
// testdata/skips.json lists the tests that are not run, and why.
package jsts

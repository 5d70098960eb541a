// Package odd holds the generator against schemas that nobody would write on a good
// day: names that are no Go names, comments that end comments, unions of everything,
// defaults of the wrong type. All are emitted into one module, compiled and vetted
// once, and then read random documents that are made to measure.
package odd

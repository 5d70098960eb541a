package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// table prints rows as Markdown.
func table(w io.Writer, head []string, rows [][]string) {
	width := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			width[i] = max(width[i], len([]rune(cell)))
		}
	}
	line := func(row []string, fill string) {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(fill, width[i]-len([]rune(cell))) + " ")
		}
		fmt.Fprintln(w, b.String()+"|")
	}
	line(head, " ")
	rule := make([]string, len(head))
	line(rule, "-")
	for _, row := range rows {
		line(row, " ")
	}
	fmt.Fprintln(w)
}

// times prints a ratio.
func times(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v >= 10:
		return fmt.Sprintf("%.0f×", v)
	}
	return fmt.Sprintf("%.2f×", v)
}

// micros prints nanoseconds as microseconds.
func micros(ns float64) string {
	if math.IsNaN(ns) {
		return "–"
	}
	return fmt.Sprintf("%.2f", ns/1000)
}

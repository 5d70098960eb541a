package goview

import "strings"

// Wrap breaks a comment into lines of at most about 90 bytes.
func Wrap(text string) []string {
	const width = 90
	var lines []string
	line := ""
	for _, w := range strings.Fields(Plain(text)) {
		if line != "" && len(line)+1+len(w) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

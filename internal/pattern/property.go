package pattern

import (
	"strings"
	"unicode"
)

// property gives the set that \p{expr} stands for, as far as Go has its tables.
// Names of general categories are taken without regard to case, since schemas
// write \p{letter} and \p{Letter}.
func property(expr string) (runeSet, bool) {
	name, value, both := strings.Cut(expr, "=")
	if both {
		switch name {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc":
			return script(value)
		}
		return nil, false
	}
	switch name {
	case "Any":
		return runeSet{{0, unicode.MaxRune}}, true
	case "ASCII":
		return runeSet{{0, unicode.MaxASCII}}, true
	case "Assigned":
		var all runeSet
		for _, c := range []string{"L", "M", "N", "P", "S", "Z", "Cc", "Cf", "Co", "Cs"} {
			all = all.union(fromTable(unicode.Categories[c]))
		}
		return all, true
	case "Alphabetic", "Alpha":
		return tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "Lowercase", "Lower":
		return tables(unicode.Ll, unicode.Other_Lowercase), true
	case "Uppercase", "Upper":
		return tables(unicode.Lu, unicode.Other_Uppercase), true
	}
	if set, ok := category(name); ok {
		return set, true
	}
	if t, ok := unicode.Properties[name]; ok && !strings.HasPrefix(name, "Other_") {
		return fromTable(t), true
	}
	return nil, false
}

func tables(ts ...*unicode.RangeTable) runeSet {
	var spans []span
	for _, t := range ts {
		spans = append(spans, fromTable(t)...)
	}
	return newSet(spans...)
}

func category(name string) (runeSet, bool) {
	if t, ok := unicode.Categories[name]; ok {
		return fromTable(t), true
	}
	for alias, short := range unicode.CategoryAliases {
		if strings.EqualFold(alias, name) {
			return fromTable(unicode.Categories[short]), true
		}
	}
	return nil, false
}

func script(name string) (runeSet, bool) {
	if t, ok := unicode.Scripts[name]; ok {
		return fromTable(t), true
	}
	return nil, false
}

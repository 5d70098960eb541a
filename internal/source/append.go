package source

import "github.com/go-json-experiment/json/jsontext"

// AppendJSON appends v as compact JSON. Members keep their order and numbers
// their text; strings are escaped no more than JSON asks for.
func AppendJSON(dst []byte, v *Value) []byte {
	switch v.Kind {
	case Null:
		return append(dst, "null"...)
	case Bool:
		if v.Bool {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case Number:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text)
	case Array:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, item)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i := range v.Members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v.Members[i].Name)
		dst = append(dst, ':')
		dst = AppendJSON(dst, v.Members[i].Value)
	}
	return append(dst, '}')
}

func appendString(dst []byte, s string) []byte {
	// The only error is invalid UTF-8, which Parse lets through nowhere.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

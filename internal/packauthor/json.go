package packauthor

import "github.com/contractkit/contractkit/runtime/contract"

// jsonText writes a string, or a list of strings, as JavaScript reads it.
func jsonText(v any) string {
	switch v := v.(type) {
	case string:
		return string(contract.AppendString(nil, v))
	case []string:
		return string(contract.AppendList(nil, v, contract.AppendString))
	}
	panic("packauthor: a template wants JSON of something else")
}

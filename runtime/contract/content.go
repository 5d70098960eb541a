package contract

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// IsContent reports whether a string is what contentEncoding and contentMediaType
// say; "" stands for a keyword that is absent. Known are the encodings base64,
// base32 and base16 of RFC 4648, with line breaks as RFC 2045 allows them, and the
// encodings 7bit, 8bit and binary, which leave the text as it is; of media types
// application/json and those that end in +json. What is not known passes. JSON
// inside has the default [Limits] of a document, whose members are unique.
func IsContent(text []byte, encoding, mediaType string) bool {
	data, known := decodeContent(text, encoding)
	if !known {
		return true
	}
	return data != nil && (!isJSONType(mediaType) || IsJSON(data))
}

// KnowsContent reports whether IsContent can ever be false.
func KnowsContent(encoding, mediaType string) bool {
	_, known := decodeContent(nil, encoding)
	return known && (isJSONType(mediaType) || !isIdentity(encoding))
}

// IsJSON reports whether data is one JSON document within the default limits.
func IsJSON(data []byte) bool {
	v := Acquire()
	defer v.Release()
	return v.Load(data, Limits{}) == nil
}

func isIdentity(encoding string) bool {
	switch encoding {
	case "", "7bit", "8bit", "binary":
		return true
	}
	return false
}

// decodeContent undoes an encoding; nil when text is not in it.
func decodeContent(text []byte, encoding string) (data []byte, known bool) {
	encoding = strings.ToLower(encoding)
	if isIdentity(encoding) {
		if text == nil {
			text = []byte{}
		}
		return text, true
	}
	var decode func(dst, src []byte) (int, error)
	size := len(text)
	switch encoding {
	case "base64":
		decode = base64.StdEncoding.Strict().Decode
	case "base32":
		decode = base32.StdEncoding.Decode
	case "base16":
		decode = hex.Decode
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r"), nil), []byte("\n"), nil)
	default:
		return nil, false
	}
	data = make([]byte, size)
	n, err := decode(data, text)
	if err != nil {
		return nil, true
	}
	return data[:n], true
}

func isJSONType(mediaType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	kind = strings.TrimSpace(kind)
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

package cel

import (
	"encoding/base64"
	"strings"
)

// Base64Encode is base64.encode(bytes).
func (c *Ctx) Base64Encode(v Val) Val { return c.encode64(v, base64.StdEncoding) }

// Base64EncodeURL is base64.encodeUrl(bytes).
func (c *Ctx) Base64EncodeURL(v Val) Val { return c.encode64(v, base64.URLEncoding) }

func (c *Ctx) encode64(v Val, e *base64.Encoding) Val {
	if v.kind != KindBytes {
		return failed(v)
	}
	if !c.spendText(len(v.str)) {
		return errLimit
	}
	return String(e.EncodeToString([]byte(v.str)))
}

// Base64Decode is base64.decode(string), with or without padding.
func (c *Ctx) Base64Decode(v Val) Val { return c.decode64(v, base64.StdEncoding) }

// Base64DecodeURL is base64.decodeUrl(string), with or without padding.
func (c *Ctx) Base64DecodeURL(v Val) Val { return c.decode64(v, base64.URLEncoding) }

func (c *Ctx) decode64(v Val, e *base64.Encoding) Val {
	s, bad := c.string1(v)
	if bad.kind == KindError {
		return bad
	}
	if !strings.HasSuffix(s, "=") {
		e = e.WithPadding(base64.NoPadding)
	}
	b, err := e.DecodeString(s)
	if err != nil {
		return Err(err.Error())
	}
	return Bytes(string(b))
}

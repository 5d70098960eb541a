package lib

import (
	"encoding/base64"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// urlEncoders declares the part of the encoders' second version that is about base64; the
// rest of it, json and yaml, is not offered.
func urlEncoders() cel.EnvOption {
	return cel.Lib(urlBase64{})
}

type urlBase64 struct{}

func (urlBase64) ProgramOptions() []cel.ProgramOption { return nil }

func (urlBase64) CompileOptions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.Function("base64.encodeUrl", overload("base64_encode_url_bytes", typesOf(cel.BytesType), cel.StringType, func(a ...ref.Val) ref.Val {
			return types.String(base64.URLEncoding.EncodeToString([]byte(a[0].(types.Bytes))))
		})),
		cel.Function("base64.decodeUrl", overload("base64_decode_url_string", typesOf(cel.StringType), cel.BytesType, func(a ...ref.Val) ref.Val {
			encoding := base64.URLEncoding
			if !strings.HasSuffix(str(a[0]), "=") {
				encoding = base64.RawURLEncoding
			}
			b, err := encoding.DecodeString(str(a[0]))
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Bytes(b)
		})),
	}
}

package contract

import (
	"encoding/json"
	"errors"
)

// Value is any JSON value, kept as the text that it was read from. The zero Value
// is null. Values compare equal when their texts are the same.
type Value struct{ text string }

// ParseValue checks that data is one JSON value and returns it.
func ParseValue(data []byte) (Value, error) {
	v := Acquire()
	defer v.Release()
	if issues := v.Load(data, Limits{}); issues != nil {
		return Value{}, issues.Err()
	}
	return Value{string(v.Raw(Root))}, nil
}

// StringValue, IntValue and BoolValue return the JSON value of a Go value.
func StringValue(s string) Value { return Value{string(AppendString(nil, s))} }

// IntValue returns the JSON number n.
func IntValue(n int64) Value { return Value{Int(n).text} }

// BoolValue returns true or false.
func BoolValue(b bool) Value { return Value{string(AppendBool(nil, b))} }

// JSON returns the text.
func (v Value) JSON() string {
	if v.text == "" {
		return "null"
	}
	return v.text
}

// String returns the text, as JSON does.
func (v Value) String() string { return v.JSON() }

// Kind returns the JSON kind of the value.
func (v Value) Kind() Kind {
	switch v.JSON()[0] {
	case 'n':
		return Null
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '[':
		return Array
	case '{':
		return Object
	}
	return Num
}

// Text returns the decoded string when the value is one.
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return string(appendUnescaped(nil, []byte(v.text[1:len(v.text)-1]))), true
}

// Bool returns the boolean when the value is one.
func (v Value) Bool() (value, isBool bool) { return v.text == "true", v.Kind() == Bool }

// Number returns the number when the value is one.
func (v Value) Number() (Number, bool) {
	if v.Kind() != Num {
		return Number{}, false
	}
	return Number(v), true
}

// Decode stores the value in the variable that dst points to, as encoding/json does.
func (v Value) Decode(dst any) error { return json.Unmarshal([]byte(v.JSON()), dst) }

// MarshalJSON returns the text.
func (v Value) MarshalJSON() ([]byte, error) { return []byte(v.JSON()), nil }

// UnmarshalJSON takes any JSON value.
func (v *Value) UnmarshalJSON(b []byte) error {
	if len(b) == 0 {
		return errors.New("contract: empty JSON text")
	}
	v.text = string(b)
	return nil
}

// ValueOf returns the value with that JSON text; it panics when it is none, and so
// is for texts that are known, such as defaults in a schema.
func ValueOf(text string) Value {
	v, err := ParseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/contractkit/contractkit/internal/diag"
	"github.com/contractkit/contractkit/internal/source"
	"github.com/contractkit/contractkit/internal/spelling"
)

// DecodeOptions reads a target's options into the struct that into points to,
// matching members by the fields' json tags. It is strict: unknown members and
// values of another type are errors, and so is the absence of a field that is
// tagged jsonschema:"required". Fields may be strings, booleans, integers,
// Text, *source.Value, structs, and slices, string-keyed maps and pointers of
// these; what is absent keeps its value. A nil v is an empty object.
//
// The error is a [diag.List]; its pointers count from v.
func DecodeOptions(v *source.Value, into any) error {
	if v == nil {
		v = &source.Value{Kind: source.Object}
	}
	return decodeOptions(v, "", into)
}

func decodeOptions(v *source.Value, pointer string, into any) error {
	d := &decoder{}
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("config: options are decoded into a pointer to a struct, not %T", into))
	}
	d.decode(v, target.Elem(), pointer)
	return d.list.Err()
}

// decoder collects the problems of one file.
type decoder struct {
	list diag.List
}

func (d *decoder) add(pos diag.Pos, pointer, code, message, hint string) {
	d.list.Add(diag.Diagnostic{Code: code, Pos: pos, Pointer: pointer, Message: message, Hint: hint})
}

func (d *decoder) wrongType(v *source.Value, pointer, want string) {
	what := "the file"
	if i := strings.LastIndexByte(pointer, '/'); i >= 0 {
		if up := strings.LastIndexByte(pointer[:i], '/'); up >= 0 && strings.Trim(pointer[i+1:], "0123456789") == "" {
			i = up // an index says little without the name of its array
		}
		what = quote(pointer[i+1:])
	}
	d.add(v.Pos, pointer, "config.type", fmt.Sprintf("%s is %s, not %s", what, kindNames[v.Kind], want), "")
}

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

var (
	textType  = reflect.TypeFor[Text]()
	valueType = reflect.TypeFor[*source.Value]()
)

func (d *decoder) decode(v *source.Value, into reflect.Value, pointer string) {
	switch into.Type() {
	case textType:
		if v.Kind != source.String {
			d.wrongType(v, pointer, "a string")
			return
		}
		into.Set(reflect.ValueOf(Text{Value: v.Text, Pos: v.Pos, Pointer: pointer}))
		return
	case valueType:
		into.Set(reflect.ValueOf(v))
		return
	}
	switch into.Kind() {
	case reflect.String:
		if v.Kind != source.String {
			d.wrongType(v, pointer, "a string")
			return
		}
		into.SetString(v.Text)
	case reflect.Bool:
		if v.Kind != source.Bool {
			d.wrongType(v, pointer, "a boolean")
			return
		}
		into.SetBool(v.Bool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.integer(v, into, pointer)
	case reflect.Slice:
		if v.Kind != source.Array {
			d.wrongType(v, pointer, "an array")
			return
		}
		items := reflect.MakeSlice(into.Type(), len(v.Items), len(v.Items))
		for i, item := range v.Items {
			d.decode(item, items.Index(i), pointer+"/"+strconv.Itoa(i))
		}
		into.Set(items)
	case reflect.Map:
		if v.Kind != source.Object {
			d.wrongType(v, pointer, "an object")
			return
		}
		into.Set(reflect.MakeMapWithSize(into.Type(), len(v.Members)))
		for _, m := range v.Members {
			value := reflect.New(into.Type().Elem()).Elem()
			d.decode(m.Value, value, pointer+"/"+source.EscapeToken(m.Name))
			into.SetMapIndex(reflect.ValueOf(m.Name).Convert(into.Type().Key()), value)
		}
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.decode(v, into.Elem(), pointer)
	case reflect.Struct:
		d.object(v, into, pointer)
	default:
		panic(fmt.Sprintf("config: no option can be decoded into a %s", into.Type()))
	}
}

func (d *decoder) integer(v *source.Value, into reflect.Value, pointer string) {
	if v.Kind != source.Number {
		d.wrongType(v, pointer, "an integer")
		return
	}
	n, err := strconv.ParseInt(v.Text, 10, into.Type().Bits())
	if err != nil {
		d.add(v.Pos, pointer, "config.value", fmt.Sprintf("%s is not an integer of at most %d bits", quote(v.Text), into.Type().Bits()), "")
		return
	}
	into.SetInt(n)
}

func (d *decoder) object(v *source.Value, into reflect.Value, pointer string) {
	if v.Kind != source.Object {
		d.wrongType(v, pointer, "an object")
		return
	}
	fields := map[string]int{}
	var names []string
	for i := range into.NumField() {
		field := into.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || !field.IsExported() {
			continue
		}
		fields[name] = i
		names = append(names, name)
		if v.Get(name) == nil && slices.Contains(strings.Split(field.Tag.Get("jsonschema"), ","), "required") {
			d.add(v.Pos, pointer, "config.missing", fmt.Sprintf("%s is missing", quote(name)), field.Tag.Get("jsonschema_description"))
		}
	}
	for _, m := range v.Members {
		at := pointer + "/" + source.EscapeToken(m.Name)
		i, ok := fields[m.Name]
		if !ok {
			d.unknown(m, at, names)
			continue
		}
		d.decode(m.Value, into.Field(i), at)
	}
}

func (d *decoder) unknown(m source.Member, pointer string, names []string) {
	hint := "no key can stand here"
	if len(names) > 0 {
		hint = "the keys here are " + strings.Join(names, ", ")
	}
	if best := spelling.Closest(m.Name, names); best != "" {
		hint = fmt.Sprintf("did you mean %s?", quote(best))
	}
	d.add(m.NamePos, pointer, "config.unknown-key", fmt.Sprintf("the key %s is not known", quote(m.Name)), hint)
}

// quote prints s for a message, shortened when it is long.
func quote(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return strconv.Quote(s)
}

package contract

import "strings"

// Fail reports a fault of node n, which may be a value or a member's name, and
// returns whether validation goes on. location is the schema's id and pointer,
// the keyword last.
func (v *Validator) Fail(n Node, code Code, location, message string) bool {
	return v.collect && v.record(n, "", code, location, message)
}

func (v *Validator) record(n Node, name string, code Code, location, message string) bool {
	if len(v.issues) >= v.max {
		return false
	}
	path := v.pointer(n)
	if name != "" {
		path += "/" + escapePointer(name)
	}
	v.issues = append(v.issues, Issue{
		Path: path, Code: code, Keyword: location[strings.LastIndexByte(location, '/')+1:],
		Location: location, Message: message, Offset: v.Offset(n),
	})
	return len(v.issues) < v.max
}

// WrongType reports that n is none of the kinds in want.
func (v *Validator) WrongType(n Node, want Kinds, location string) bool {
	return v.collect && v.record(n, "", CodeType, location+"/type", "must be "+article(want.String())+", not "+article(v.Kind(n).String()))
}

// NotInteger reports that n is not an integral number.
func (v *Validator) NotInteger(n Node, location string) bool {
	what := article(v.Kind(n).String())
	if v.Kind(n) == Num {
		what = "a number with a fraction"
	}
	return v.collect && v.record(n, "", CodeType, location+"/type", "must be an integer, not "+what)
}

// NotConst reports that n is not the one allowed value, given as JSON text.
func (v *Validator) NotConst(n Node, want, location string) bool {
	return v.collect && v.record(n, "", CodeValue, location+"/const", "must be "+want)
}

// NotEnum reports that n is none of the allowed values, given as a list for people.
func (v *Validator) NotEnum(n Node, want, location string) bool {
	return v.collect && v.record(n, "", CodeValue, location+"/enum", "must be one of "+want)
}

// TooShort reports a string of fewer than least code points.
func (v *Validator) TooShort(n Node, least int, location string) bool {
	return v.collect && v.record(n, "", CodeTooSmall, location+"/minLength", atLeast(least, "character"))
}

// TooLong reports a string of more than most code points.
func (v *Validator) TooLong(n Node, most int, location string) bool {
	return v.collect && v.record(n, "", CodeTooBig, location+"/maxLength", atMost(most, "character"))
}

// NoMatch reports a string that does not match pattern.
func (v *Validator) NoMatch(n Node, pattern, location string) bool {
	return v.collect && v.record(n, "", CodeFormat, location+"/pattern", "must match the pattern "+pattern)
}

// NotFormat reports a string that is not of the format.
func (v *Validator) NotFormat(n Node, format, location string) bool {
	return v.collect && v.record(n, "", CodeFormat, location+"/format", "must be of the format "+format)
}

// NotContent reports a string whose content is not what its keywords say.
func (v *Validator) NotContent(n Node, encoding, mediaType, location string) bool {
	if !v.collect {
		return false
	}
	switch {
	case mediaType == "":
		return v.record(n, "", CodeFormat, location+"/contentEncoding", "must be text in the encoding "+encoding)
	case encoding == "":
		return v.record(n, "", CodeFormat, location+"/contentMediaType", "must hold "+mediaType)
	}
	return v.record(n, "", CodeFormat, location+"/contentMediaType", "must hold "+mediaType+" in the encoding "+encoding)
}

// OutOfRange reports a number on the wrong side of keyword's bound.
func (v *Validator) OutOfRange(n Node, keyword, bound, location string) bool {
	if !v.collect {
		return false
	}
	code, words := CodeTooSmall, ""
	switch keyword {
	case "minimum":
		words = "must be at least "
	case "exclusiveMinimum":
		words = "must be greater than "
	case "maximum":
		code, words = CodeTooBig, "must be at most "
	case "exclusiveMaximum":
		code, words = CodeTooBig, "must be less than "
	}
	return v.record(n, "", code, location+"/"+keyword, words+bound)
}

// NotMultiple reports a number that is no multiple of the divisor.
func (v *Validator) NotMultiple(n Node, divisor, location string) bool {
	return v.collect && v.record(n, "", CodeValue, location+"/multipleOf", "must be a multiple of "+divisor)
}

// TooFew reports an array or object with fewer than least elements or members.
func (v *Validator) TooFew(n Node, least int, location string) bool {
	if v.Kind(n) == Object {
		return v.collect && v.record(n, "", CodeTooSmall, location+"/minProperties", atLeast(least, "member"))
	}
	return v.collect && v.record(n, "", CodeTooSmall, location+"/minItems", atLeast(least, "element"))
}

// TooMany reports an array or object with more than most elements or members.
func (v *Validator) TooMany(n Node, most int, location string) bool {
	if v.Kind(n) == Object {
		return v.collect && v.record(n, "", CodeTooBig, location+"/maxProperties", atMost(most, "member"))
	}
	return v.collect && v.record(n, "", CodeTooBig, location+"/maxItems", atMost(most, "element"))
}

// NotUnique reports an array in which element n equals an earlier one.
func (v *Validator) NotUnique(n Node, location string) bool {
	return v.collect && v.record(n, "", CodeValue, location+"/uniqueItems", "must not have equal elements")
}

// Missing reports that the object n lacks the member name.
func (v *Validator) Missing(n Node, name, location string) bool {
	return v.collect && v.record(n, name, CodeRequired, location+"/required", "the member "+quote(name)+" is missing")
}

// Unknown reports the member with the name node k, which the contract does not know.
func (v *Validator) Unknown(k Node, location string) bool {
	return v.collect && v.record(k, "", CodeUnknown, location+"/additionalProperties", "the member "+quote(string(v.Text(k)))+" is not known here")
}

// NoAlternative reports that n fits none of keyword's alternatives, and
// TwoAlternatives that it fits more than one of oneOf.
func (v *Validator) NoAlternative(n Node, keyword, location string) bool {
	return v.collect && v.record(n, "", CodeUnion, location+"/"+keyword, "fits none of the alternatives")
}

// TwoAlternatives reports that n fits more than one alternative of oneOf.
func (v *Validator) TwoAlternatives(n Node, location string) bool {
	return v.collect && v.record(n, "", CodeUnion, location+"/oneOf", "fits more than one of the alternatives")
}

// NoSuchVariant reports that the member name of n names none of the variants, that
// n lacks it, or that n is no object.
func (v *Validator) NoSuchVariant(n Node, name, keyword, location string) bool {
	if !v.collect {
		return false
	}
	if m, found := v.Member(n, name); found {
		return v.record(m, "", CodeUnion, location+"/"+keyword, "names none of the variants")
	}
	if v.Kind(n) != Object {
		return v.NoAlternative(n, keyword, location)
	}
	return v.record(n, name, CodeUnion, location+"/"+keyword, "the member "+quote(name)+", which tells the variant, is missing")
}

// Forbidden reports a value that matches a schema it must not match, or is not
// allowed at all.
func (v *Validator) Forbidden(n Node, location string) bool {
	return v.collect && v.record(n, "", CodeNot, location, "is not allowed here")
}

func atLeast(n int, thing string) string { return "must have at least " + plural(n, thing) }
func atMost(n int, thing string) string  { return "must have at most " + plural(n, thing) }

func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return itoa(n) + " " + thing
}

func article(s string) string {
	switch {
	case s == "" || strings.HasPrefix(s, "null"):
		return s
	case strings.IndexByte("aeiou", s[0]) >= 0:
		return "an " + s
	}
	return "a " + s
}

// quote writes s as a JSON string, cut short when long.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		cut := most
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return string(AppendString(nil, s))
}

// MissingWith reports that the object n lacks the member name, which must
// accompany the member beside.
func (v *Validator) MissingWith(n Node, name, beside, location string) bool {
	return v.collect && v.record(n, name, CodeRequired, location+"/dependentRequired", "the member "+quote(name)+" must accompany "+quote(beside))
}

// TooFewMatches reports an array in which fewer than least elements match contains.
func (v *Validator) TooFewMatches(n Node, least int, location string) bool {
	keyword := "/contains"
	if least != 1 {
		keyword = "/minContains"
	}
	return v.collect && v.record(n, "", CodeTooSmall, location+keyword, "must have at least "+plural(least, "element")+" of the kind asked for")
}

// TooManyMatches reports an array in which more than most elements match contains.
func (v *Validator) TooManyMatches(n Node, most int, location string) bool {
	return v.collect && v.record(n, "", CodeTooBig, location+"/maxContains", "must have at most "+plural(most, "element")+" of the kind asked for")
}

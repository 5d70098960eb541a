package contract

// Check is the form of generated check functions.
type Check = func(v *Validator, n Node) bool

// Validate returns the issues of data under check; none when it is valid.
func Validate(data []byte, check Check) Issues {
	v := Acquire()
	defer v.Release()
	if issues := v.Load(data, Limits{}); issues != nil {
		return issues
	}
	return v.Run(Root, check)
}

// Decode validates data and calls fill to turn it into a value, or returns an *Error.
// fill keeps the value to itself, so that Decode does not force it onto the heap.
func Decode(data []byte, check Check, fill func(d *Decoder)) error {
	v := Acquire()
	defer v.Release()
	if issues := v.Load(data, Limits{}); issues != nil {
		return issues.Err()
	}
	if issues := v.Run(Root, check); issues != nil {
		return issues.Err()
	}
	return v.Decode(fill)
}

// Decode calls fill with a decoder of the valid document. The error is an *Error: of an
// alternative that a pattern takes too long to tell.
func (v *Validator) Decode(fill func(d *Decoder)) (err error) {
	defer v.endCostlyDecode(&err)
	v.decoder = NewDecoder(v)
	fill(&v.decoder)
	return nil
}

// ValidateMember validates data by the schema that its member names; find returns
// the id that name is, and its check, which is nil for a name that is none. The id
// is "" when the document names none.
func ValidateMember(data []byte, member string, find func(name []byte) (id string, check Check)) (id string, issues Issues) {
	v := Acquire()
	defer v.Release()
	if issues := v.Load(data, Limits{}); issues != nil {
		return "", issues
	}
	at, issues := v.schemaID(member)
	if issues != nil {
		return "", issues
	}
	id, check := find(v.Text(at))
	if check == nil {
		id = string(v.Text(at))
		return id, unknownSchema(id, "/"+escapePointer(member), v.Offset(at))
	}
	return id, v.Run(Root, check)
}

// SchemaID returns the string in the given member of the document.
func SchemaID(data []byte, member string) (string, Issues) {
	v := Acquire()
	defer v.Release()
	if issues := v.Load(data, Limits{}); issues != nil {
		return "", issues
	}
	at, issues := v.schemaID(member)
	if issues != nil {
		return "", issues
	}
	return string(v.Text(at)), nil
}

// schemaID finds the string that names the document's schema.
func (v *Validator) schemaID(member string) (Node, Issues) {
	path := func() string { return "/" + escapePointer(member) }
	switch m, found := v.Member(Root, member); {
	case v.Kind(Root) != Object:
		return 0, Issues{{Path: "", Code: CodeType, Message: "must be an object, to name its schema in the member " + quote(member), Offset: v.Offset(Root)}}
	case !found:
		return 0, Issues{{Path: path(), Code: CodeRequired, Message: "the member " + quote(member) + ", which names the schema, is missing", Offset: v.Offset(Root)}}
	case v.Kind(m) != String:
		return 0, Issues{{Path: path(), Code: CodeType, Message: "must be a string, not " + article(v.Kind(m).String()), Offset: v.Offset(m)}}
	default:
		return m, nil
	}
}

// UnknownSchema is the issue for a schema id that a package does not know.
func UnknownSchema(id string) Issues { return unknownSchema(id, "", 0) }

func unknownSchema(id, path string, offset int) Issues {
	return Issues{{Path: path, Code: CodeSchemaID, Message: "no schema has the id " + quote(id), Offset: offset}}
}

// VariantName returns the string in the object's member name; nil when there is none.
func (v *Validator) VariantName(n Node, name string) []byte {
	if m, found := v.Member(n, name); found && v.Kind(m) == String {
		return v.Text(m)
	}
	return nil
}

// MissingOf reports the names whose bit is not set in seen, the i-th name having bit i.
func (v *Validator) MissingOf(n Node, seen uint64, location string, names ...string) bool {
	if !v.collect {
		return false
	}
	for i, name := range names {
		if seen>>i&1 == 0 && !v.Missing(n, name, location) {
			return false
		}
	}
	return true
}

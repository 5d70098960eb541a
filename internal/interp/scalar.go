package interp

import (
	"github.com/contractkit/contractkit/internal/model"
	"github.com/contractkit/contractkit/runtime/contract"
)

func (in *Interp) str(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	if s.MinLength != nil && v.Length(n) < *s.MinLength && !v.TooShort(n, *s.MinLength, s.Location) {
		return false
	}
	if s.MaxLength != nil && v.Length(n) > *s.MaxLength && !v.TooLong(n, *s.MaxLength, s.Location) {
		return false
	}
	if s.Pattern != "" && !in.matches(s.Pattern, v.Text(n)) && !v.NoMatch(n, s.Pattern, s.Location) {
		return false
	}
	if is := formats[s.Format]; s.AssertFormat && is != nil && !is(v.Text(n)) && !v.NotFormat(n, s.Format, s.Location) {
		return false
	}
	if s.AssertContent && !contract.IsContent(v.Text(n), s.ContentEncoding, s.ContentMediaType) {
		return v.NotContent(n, s.ContentEncoding, s.ContentMediaType, s.Location)
	}
	return true
}

// formats are the formats that can be asserted.
var formats = map[string]func([]byte) bool{
	"date-time": contract.IsDateTime, "date": contract.IsDate, "time": contract.IsTime, "duration": contract.IsDuration,
	"email": contract.IsEmail, "idn-email": contract.IsIDNEmail, "hostname": contract.IsHostname, "idn-hostname": contract.IsIDNHostname,
	"ipv4": contract.IsIPv4, "ipv6": contract.IsIPv6, "uri": contract.IsURI, "uri-reference": contract.IsURIReference,
	"iri": contract.IsIRI, "iri-reference": contract.IsIRIReference, "uri-template": contract.IsURITemplate, "uuid": contract.IsUUID,
	"json-pointer": contract.IsJSONPointer, "relative-json-pointer": contract.IsRelativeJSONPointer, "regex": contract.IsRegex,
}

func (in *Interp) number(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	for _, b := range []struct {
		bound   *model.Literal
		keyword string
		broken  func(cmp int) bool
	}{
		{s.Minimum, "minimum", func(c int) bool { return c < 0 }},
		{s.ExclusiveMinimum, "exclusiveMinimum", func(c int) bool { return c <= 0 }},
		{s.Maximum, "maximum", func(c int) bool { return c > 0 }},
		{s.ExclusiveMaximum, "exclusiveMaximum", func(c int) bool { return c >= 0 }},
	} {
		if b.bound == nil {
			continue
		}
		if b.broken(contract.CompareNumber(v.Number(n), contract.ParseDecimal(b.bound.JSON))) && !v.OutOfRange(n, b.keyword, b.bound.JSON, s.Location) {
			return false
		}
	}
	if m := s.MultipleOf; m != nil && !contract.IsMultipleOf(v.Number(n), contract.ParseDecimal(m.JSON)) {
		return v.NotMultiple(n, m.JSON, s.Location)
	}
	return true
}

func (in *Interp) array(v *contract.Validator, n contract.Node, s *model.Schema) bool {
	count, matches := 0, 0
	for e, end := n+1, v.Next(n); e < end; e = v.Next(e) {
		switch {
		case count < len(s.PrefixItems):
			if !in.check(v, e, s.PrefixItems[count]) {
				return false
			}
		case s.Items != 0:
			if !in.check(v, e, s.Items) {
				return false
			}
		}
		if s.Contains != 0 && in.probe(v, e, s.Contains) {
			matches++
		}
		count++
	}
	if s.Contains != 0 {
		least := 1
		if s.MinContains != nil {
			least = *s.MinContains
		}
		if matches < least && !v.TooFewMatches(n, least, s.Location) {
			return false
		}
		if s.MaxContains != nil && matches > *s.MaxContains && !v.TooManyMatches(n, *s.MaxContains, s.Location) {
			return false
		}
	}
	if s.MinItems != nil && count < *s.MinItems && !v.TooFew(n, *s.MinItems, s.Location) {
		return false
	}
	if s.MaxItems != nil && count > *s.MaxItems && !v.TooMany(n, *s.MaxItems, s.Location) {
		return false
	}
	if s.UniqueItems {
		if twin, found := v.Repeated(n); found && !v.NotUnique(twin, s.Location) {
			return false
		}
	}
	return true
}

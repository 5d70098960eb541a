// Package gofunc says which method of runtime/contract/cel.Ctx stands for a CEL function.
//
// The names are those that a checked AST has: macros are expanded, operators have their
// internal names. Receivers are first arguments. What the compiler writes itself because
// it decides what is evaluated, _&&_, _||_, _?_:_ and comprehensions, has a method too
// where that makes sense, for operands that are evaluated already.
package gofunc

// Names maps a CEL function to a method.
var Names = map[string]string{
	// operators
	"!_": "Not", "-_": "Neg", "@in": "In", "_in_": "In", "in": "In",
	"@not_strictly_false": "NotStrictlyFalse", "__not_strictly_false__": "NotStrictlyFalse",
	"_&&_": "And", "_||_": "Or", "_?_:_": "Conditional",
	"_==_": "Equal", "_!=_": "NotEqual", "_<_": "Less", "_<=_": "LessEqual", "_>_": "Greater", "_>=_": "GreaterEqual",
	"_+_": "Add", "_-_": "Sub", "_*_": "Mul", "_/_": "Div", "_%_": "Mod",
	"_[_]": "Index", "@index": "Index", "_?._": "OptSelect", "_[?_]": "OptIndex",

	// standard library
	"size": "Size", "type": "TypeOf", "dyn": "Dyn",
	"bool": "ToBool", "bytes": "ToBytes", "double": "ToDouble", "duration": "ToDuration", "int": "ToInt",
	"string": "ToString", "timestamp": "ToTimestamp", "uint": "ToUint",
	"contains": "Contains", "startsWith": "StartsWith", "endsWith": "EndsWith", "matches": "Matches",
	"getFullYear": "GetFullYear", "getMonth": "GetMonth", "getDate": "GetDate", "getDayOfMonth": "GetDayOfMonth",
	"getDayOfWeek": "GetDayOfWeek", "getDayOfYear": "GetDayOfYear", "getHours": "GetHours",
	"getMinutes": "GetMinutes", "getSeconds": "GetSeconds", "getMilliseconds": "GetMilliseconds",

	// strings
	"charAt": "CharAt", "indexOf": "IndexOf", "lastIndexOf": "LastIndexOf", "lowerAscii": "LowerAscii",
	"upperAscii": "UpperAscii", "replace": "Replace", "split": "Split", "join": "Join", "substring": "Substring",
	"trim": "Trim", "reverse": "Reverse", "format": "Format", "strings.quote": "StringsQuote",

	// math
	"math.@max": "MathGreatest", "math.greatest": "MathGreatest", "math.@min": "MathLeast", "math.least": "MathLeast",
	"math.ceil": "MathCeil", "math.floor": "MathFloor", "math.round": "MathRound", "math.trunc": "MathTrunc",
	"math.sqrt": "MathSqrt", "math.abs": "MathAbs", "math.sign": "MathSign",
	"math.isNaN": "MathIsNaN", "math.isInf": "MathIsInf", "math.isFinite": "MathIsFinite",
	"math.bitAnd": "MathBitAnd", "math.bitOr": "MathBitOr", "math.bitXor": "MathBitXor", "math.bitNot": "MathBitNot",
	"math.bitShiftLeft": "MathBitShiftLeft", "math.bitShiftRight": "MathBitShiftRight",

	// lists and sets
	"lists.range": "ListsRange", "slice": "Slice", "flatten": "Flatten", "distinct": "Distinct", "sort": "Sort",
	"@sortByAssociatedKeys": "SortByAssociatedKeys", "first": "First", "last": "Last",
	"hasAll": "HasAll", "hasAny": "HasAny", "hasOnly": "HasOnly", "hasExactly": "HasExactly",
	"sets.contains": "SetsContains", "sets.equivalent": "SetsEquivalent", "sets.intersects": "SetsIntersects",
	"cel.@mapInsert": "MapInsert",

	// regex, encoders, optionals
	"regex.extract": "RegexExtract", "regex.extractAll": "RegexExtractAll", "regex.replace": "RegexReplace",
	"base64.encode": "Base64Encode", "base64.decode": "Base64Decode",
	"base64.encodeUrl": "Base64EncodeURL", "base64.decodeUrl": "Base64DecodeURL",
	"optional.of": "OptionalOf", "optional.none": "OptionalNone", "optional.ofNonZeroValue": "OptionalOfNonZeroValue",
	"hasValue": "HasValue", "value": "Value", "or": "OptOr", "orValue": "OrValue",
	"optional.unwrap": "Unwrap", "unwrapOpt": "Unwrap",

	// network, which is Kubernetes' too
	"ip": "IP", "isIP": "IsIP", "ip.isCanonical": "IPIsCanonical", "family": "Family",
	"isUnspecified": "IsUnspecified", "isLoopback": "IsLoopback", "isLinkLocalMulticast": "IsLinkLocalMulticast",
	"isLinkLocalUnicast": "IsLinkLocalUnicast", "isGlobalUnicast": "IsGlobalUnicast",
	"cidr": "CIDR", "isCIDR": "IsCIDR", "containsIP": "ContainsIP", "containsCIDR": "ContainsCIDR",
	"prefixLength": "PrefixLength", "masked": "Masked", "isMask": "IsMask",

	// Kubernetes
	"find": "Find", "findAll": "FindAll",
	"url": "URL", "isURL": "IsURL", "getScheme": "GetScheme", "getHost": "GetHost", "getHostname": "GetHostname",
	"getPort": "GetPort", "getEscapedPath": "GetEscapedPath", "getQuery": "GetQuery",
	"quantity": "Quantity", "isQuantity": "IsQuantity", "sign": "Sign", "isInteger": "IsInteger", "asInteger": "AsInteger",
	"asApproximateFloat": "AsApproximateFloat", "add": "AddQuantity", "sub": "SubQuantity",
	"compareTo": "CompareTo", "isGreaterThan": "IsGreaterThan", "isLessThan": "IsLessThan",
	"semver": "Semver", "isSemver": "IsSemver", "major": "Major", "minor": "Minor", "patch": "Patch",
	"isSorted": "IsSorted", "sum": "Sum", "min": "Min", "max": "Max",
	"format.named": "FormatNamed", "validate": "Validate",
	"format.dns1123Label": "FormatDNS1123Label", "format.dns1123LabelPrefix": "FormatDNS1123LabelPrefix",
	"format.dns1123Subdomain": "FormatDNS1123Subdomain", "format.dns1123SubdomainPrefix": "FormatDNS1123SubdomainPrefix",
	"format.dns1035Label": "FormatDNS1035Label", "format.dns1035LabelPrefix": "FormatDNS1035LabelPrefix",
	"format.qualifiedName": "FormatQualifiedName", "format.labelValue": "FormatLabelValue",
	"format.uri": "FormatURI", "format.uuid": "FormatUUID", "format.byte": "FormatByte",
	"format.date": "FormatDate", "format.datetime": "FormatDatetime",

	// our own
	"digest": "Digest", "canonical": "Canonical", "unique": "Unique", "repeats": "Repeats", "misses": "Misses", "isPrefix": "IsPrefix", "sorted": "Sorted",
	"findStrings": "FindStrings", "findKeys": "FindKeys", "overflows": "Overflows", "associate": "Associate", "sha256": "Sha256",
	"omit": "Omit", "acyclic": "Acyclic", "cyclePath": "CyclePath", "closure": "Closure",
	"instant": "Instant", "instantMillis": "InstantMillis",
	"semverValid": "SemverValid", "semverCompare": "SemverCompare",
}

// Variadic has the functions whose method takes any number of arguments, since their
// overloads differ in it. The others have exactly the arguments of the CEL function.
var Variadic = map[string]bool{
	"cel.@mapInsert": true, "findAll": true, "flatten": true, "getDate": true, "getDayOfMonth": true,
	"getDayOfWeek": true, "getDayOfYear": true, "getFullYear": true, "getHours": true, "getMilliseconds": true,
	"getMinutes": true, "getMonth": true, "getSeconds": true, "hasValue": true, "indexOf": true, "isSemver": true,
	"join": true, "lastIndexOf": true, "math.@max": true, "math.@min": true, "math.greatest": true,
	"math.least": true, "regex.replace": true, "replace": true, "semver": true, "split": true, "substring": true,
}

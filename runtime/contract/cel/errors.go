package cel

// The errors that have no detail.
var (
	errOverload  = Err("no such overload")
	errLimit     = Err("evaluation limit exceeded")
	errIntRange  = Err("integer overflow")
	errUintRange = Err("unsigned integer overflow")
	errTimeRange = Err("timestamp overflow")
	errDuration  = Err("duration overflow")
	errRepeated  = Err("Failed with repeated key")
)

// failed returns the error that a call without a fitting overload has: its first
// argument that is an error, or else "no such overload".
func failed(args ...Val) Val {
	for _, a := range args {
		if a.kind == KindError {
			return a
		}
	}
	return errOverload
}

// badArg returns v when it is an error, and otherwise an error with the message.
func badArg(v Val, msg string) Val {
	if v.kind == KindError {
		return v
	}
	return Err(msg)
}

package contract

// Optional is a member that may be absent. The zero Optional is absent.
// A member that may also be null is an Optional[Nullable[T]].
type Optional[T any] struct {
	value T
	set   bool
}

// Some returns a member that is present.
func Some[T any](value T) Optional[T] { return Optional[T]{value, true} }

// Get returns the value, and whether the member is present.
func (o Optional[T]) Get() (T, bool) { return o.value, o.set }

// Or returns the value, or otherwise when the member is absent.
func (o Optional[T]) Or(otherwise T) T {
	if o.set {
		return o.value
	}
	return otherwise
}

// IsZero reports whether the member is absent; encoding/json asks for omitzero.
func (o Optional[T]) IsZero() bool { return !o.set }

// Ptr returns where the value lives, to change it in place, or nil when the
// member is absent.
func (o *Optional[T]) Ptr() *T {
	if !o.set {
		return nil
	}
	return &o.value
}

// Nullable is a value that may be null. The zero Nullable is null.
type Nullable[T any] struct {
	value T
	set   bool
}

// NotNull returns a value that is not null.
func NotNull[T any](value T) Nullable[T] { return Nullable[T]{value, true} }

// NullOf returns null.
func NullOf[T any]() Nullable[T] { return Nullable[T]{} }

// Get returns the value, and whether it is not null.
func (o Nullable[T]) Get() (T, bool) { return o.value, o.set }

// Or returns the value, or otherwise when it is null.
func (o Nullable[T]) Or(otherwise T) T {
	if o.set {
		return o.value
	}
	return otherwise
}

// IsNull reports whether the value is null.
func (o Nullable[T]) IsNull() bool { return !o.set }

// Ptr returns where the value lives, to change it in place, or nil for null.
func (o *Nullable[T]) Ptr() *T {
	if !o.set {
		return nil
	}
	return &o.value
}

// Set makes the member present, with the zero value, and returns where it lives.
func (o *Optional[T]) Set() *T {
	o.set = true
	return &o.value
}

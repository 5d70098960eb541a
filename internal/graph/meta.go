package graph

func (b *builder) meta() {}

package graph

func (b *builder) loops() {}

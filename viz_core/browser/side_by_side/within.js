// The store as a part sees it to which only some of it applies: a model with fewer layers or heads shows its last ones.

// change: view => view. Returns a store like the given one; what is set goes there.
export function within(store, change) {
  return Object.create(store, {
    view: { get: () => change(store.view) },
    subscribe: { value: (fn) => store.subscribe((view, before) => fn(change(view), change(before))) },
  });
}

export function clamp(view, { layers, heads }) {
  return view.layer < layers && view.head < heads
    ? view
    : { ...view, layer: Math.min(view.layer, layers - 1), head: Math.min(view.head, heads - 1) };
}

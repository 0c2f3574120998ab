// Runs before bertviz: its data, and a stand-in for require.js, since d3 and jQuery are in the page itself.
const payload = JSON.parse(document.querySelector("#payload").textContent);
const divided = (value) => (Array.isArray(value) ? value.map(divided) : value / payload.scale);
for (const kind of payload.params.attention) kind.attn = divided(kind.attn);
window.payload = payload;
// The store of the page around it, once it is there, which says what layer is looked at; a frame on a page without one keeps its own.
window.around = () => (parent === window ? undefined : parent[Symbol.for("viz_core.store")]);
const shownLayer = (window.around()?.view.layer ?? NaN) + 1;
if (payload.params.layer && payload.params.include_layers.includes(shownLayer)) payload.params.layer = shownLayer;
window.requirejs = (_, run) => run(jQuery, d3);

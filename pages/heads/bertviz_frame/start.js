// Runs before bertviz: its data, and a stand-in for require.js, since d3 and jQuery are in the page itself.
const payload = JSON.parse(document.querySelector("#payload").textContent);
const divided = (value) => (Array.isArray(value) ? value.map(divided) : value / payload.scale);
for (const kind of payload.params.attention) kind.attn = divided(kind.attn);
window.payload = payload;
window.requirejs = (_, run) => run(jQuery, d3);

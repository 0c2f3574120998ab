// Head view: a button for each head, tokens that the keyboard reaches, and in words where each head that is on looks.

const weights = () => attention().attn[params.include_layers.indexOf(Number(root.querySelector("#layer").value))];
const squares = () => [...drawing.querySelectorAll("svg > g:last-child > rect")];
const isOn = (index) => squares()[index].getAttribute("fill") === d3.schemeCategory10[index % 10]; // off, bertviz makes it paler

const buttons = params.head_names.map((name, index) => {
  const button = el("button", { type: "button" }, colourDot(index), fill(words.head_name, { head: name }));
  const press = (what) => {
    squares()[index].dispatchEvent(new MouseEvent(what));
    showHeads();
  };
  button.addEventListener("click", (event) => press(event.shiftKey ? "dblclick" : "click"));
  button.addEventListener("dblclick", () => press("dblclick"));
  return button;
});
root.querySelector(".heads").append(...buttons);

function showHeads() {
  buttons.forEach((button, index) => button.setAttribute("aria-pressed", isOn(index)));
}

// Where each head looks most from this query, or from where it is looked at most, with this key.
function read(left, index) {
  const { left_text: queries, right_text: keys } = attention();
  const entries = weights().flatMap((head, h) => {
    const cells = left ? head[index] : head.map((row) => row[index]);
    const most = Math.max(...cells);
    const there = cells.indexOf(most);
    const said = most ? `«${(left ? keys : queries)[there]}» ${share(most)}` : words.nothing;
    return isOn(h) ? [el("span", {}, colourDot(h), `${params.head_names[h]}: ${said}`)] : [];
  });
  say(fill(left ? words.looks : words.looked_at, { token: (left ? queries : keys)[index] }), entries);
}

function reach(side) {
  const left = side === "left";
  const column = drawing.querySelector(`#${side}`);
  const tokens = [...column.querySelectorAll(":scope > g:last-child > g")];
  tokens.forEach((token, index) => {
    const name = fill(left ? words.a_query : words.a_key, { token: (left ? attention().left_text : attention().right_text)[index] });
    token.setAttribute("role", "img");
    token.setAttribute("aria-label", name);
    token.addEventListener("mouseover", () => read(left, index));
    token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")));
    token.addEventListener("blur", () => column.dispatchEvent(new MouseEvent("mouseleave")));
  });
  column.addEventListener("mouseleave", () => say(words.hint));
  rove(tokens);
  fit(column.querySelectorAll("text"));
}

atEachDrawing(() => {
  reach("left");
  reach("right");
  showHeads();
  say(words.hint);
});

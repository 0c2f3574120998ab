// Model view: pictures that the keyboard reaches and opens, and in words what the query pointed at in an open one looks at.

const MOST = 4; // keys that are read of one query

function place(index) {
  const heads = params.include_heads.length;
  return [Math.floor(index / heads), index % heads];
}

const named = ([layer, head]) => fill(words.place, { layer: params.include_layers[layer], head: params.include_heads[head] });

function open(at, picture) {
  const details = drawing.querySelectorAll("svg > g.detail");
  picture.setAttribute("aria-expanded", details.length > 0);
  say(details.length ? fill(words.opened, { place: named(at) }) : words.hint);
  if (!details.length) return;
  fit(drawing.querySelectorAll("text.token"));
  const tokens = [...details[0].children]; // on the left, where bertviz hears the pointer
  tokens.forEach((token, index) => {
    token.setAttribute("role", "img");
    token.setAttribute("aria-label", fill(words.a_query, { token: attention().left_text[index] }));
    token.addEventListener("mouseover", () => read(at, index));
    token.addEventListener("focus", () => token.dispatchEvent(new MouseEvent("mouseover")));
    token.addEventListener("blur", () => token.dispatchEvent(new MouseEvent("mouseleave")));
  });
  rove(tokens);
}

function read(at, index) {
  const { attn, left_text: queries, right_text: keys } = attention();
  const row = attn[at[0]][at[1]][index];
  const order = [...row.keys()].filter((key) => row[key]).sort((a, b) => row[b] - row[a]).slice(0, MOST);
  const entries = order.map((key) => el("span", {}, `«${keys[key]}» ${share(row[key])}`));
  say(`${named(at)}: ${fill(words.looks, { token: queries[index] })}`, entries.length ? entries : [words.nothing]);
}

atEachDrawing(() => {
  const pictures = [...drawing.querySelectorAll("svg > g")];
  pictures.forEach((picture, index) => {
    const at = place(index);
    picture.setAttribute("role", "button");
    picture.setAttribute("aria-label", named(at));
    picture.setAttribute("aria-expanded", false);
    picture.addEventListener("click", () => {
      for (const other of pictures) other.setAttribute("aria-expanded", false);
      open(at, picture);
    });
    picture.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      picture.lastElementChild.dispatchEvent(new MouseEvent("click", { bubbles: true })); // there bertviz hears it
    });
  });
  rove(pictures, params.include_heads.length);
  say(words.hint);
});

// Shows the drawing, and makes every block of it a link for mouse and keyboard.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".architecture");
  const blocks = () => [...root.querySelectorAll(".block")];
  const caption = () => root.querySelector(".caption");

  if (root.drawn !== data.svg) {
    const focused = blocks().findIndex((block) => block.matches(":focus"));
    root.innerHTML = data.svg; // our own drawing; what was typed is escaped in it
    root.drawn = data.svg;
    root.resting = caption().textContent;
    if (focused >= 0) blocks()[focused]?.focus({ preventScroll: true });
  }

  const blockOf = (event) => event.target.closest?.(".block");
  const say = (event) => {
    const block = blockOf(event);
    caption().textContent = block ? block.dataset.caption : root.resting;
  };
  const rest = () => { caption().textContent = root.resting; };
  const open = (event) => {
    const block = blockOf(event);
    if (block) setTriggerValue("page", block.dataset.page);
  };
  const press = (event) => {
    if (event.key === "Enter") open(event);
  };

  const heard = [["pointerover", say], ["pointerleave", rest], ["focusin", say], ["focusout", rest], ["click", open], ["keydown", press]];
  for (const [name, hear] of heard) root.addEventListener(name, hear);
  return () => {
    for (const [name, hear] of heard) root.removeEventListener(name, hear);
  };
}

// The chosen token flies from the softmax to its row in the decoder, and back when one steps back. Never longer than
// 350 ms, never two at once, none when steps come fast or motion is to be avoided.

const TAKES = 350;
const APART = 180; // ms; faster steps do not fly

export function makeFlight(root) {
  let running = null;
  let last = -Infinity;

  const stop = () => {
    running?.();
    running = null;
  };

  // from, to: {x, y} of the middle of the word in px of root; size: its height; hidden: the label that appears where it
  // lands.
  const fly = (text, from, to, size, landing) => {
    stop();
    const now = performance.now();
    const fast = now - last < APART;
    last = now;
    if (fast) return;
    const word = document.createElement("span");
    word.className = "flying";
    word.setAttribute("aria-hidden", "true");
    word.textContent = text;
    word.style.fontSize = `${size}px`;
    root.append(word);
    const at = ({ x, y }, scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2 - 24, y: (from.y + to.y) / 2 };
    const path = [
      { transform: at(from, 1.15) },
      { transform: at(middle, 1.15), offset: 0.5 },
      { transform: at(to, 1) },
    ];
    const flight = word.animate(path, { duration: TAKES, easing: "cubic-bezier(.3,.1,.2,1)" });
    const arrival = landing?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], {
      duration: TAKES,
    });
    running = () => {
      flight.cancel();
      arrival?.cancel();
      word.remove();
    };
    flight.onfinish = stop;
  };
  return { fly, stop };
}

// What Python has sent of each state of the view: lists, one inside the other.

// by: names of the view, or row and column of the picked cell; at: for each of them a list. Beyond the end of a list its last
// holds.
export function stateOf({ by, at }, view) {
  return by.reduce((from, name) => from[Math.min(view[name], from.length - 1)], at);
}

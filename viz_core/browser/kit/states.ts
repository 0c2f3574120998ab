// What Python has sent of each state of the view: lists, one inside the other.

/** by: names of the view, or row and column of the picked cell; at: for each of them a list. Beyond the end of a list its last holds. */
export interface States<State> {
  by: readonly string[];
  at: Nested<State>;
}

export type Nested<State> = State | readonly Nested<State>[];

export function stateOf<State>({ by, at }: States<State>, view: object): State {
  const place = new Map<string, unknown>(Object.entries(view));
  const inner = (from: Nested<State>, name: string) => {
    const list = from as readonly Nested<State>[];
    return list[Math.min(Number(place.get(name)), list.length - 1)] as Nested<State>;
  };
  return by.reduce(inner, at) as State;
}

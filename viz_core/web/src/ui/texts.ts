// The texts that Python sends along with what they stand at, by their names: Texts<"heading unknown"> has `heading` and `unknown`.

export type Texts<Names extends string> = Record<Split<Names>, string>;

type Split<Names extends string, Found = never> = Names extends `${infer Name} ${infer Rest}`
  ? Split<Rest, Found | Name>
  : Found | Names;

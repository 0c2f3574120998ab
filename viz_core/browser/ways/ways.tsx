// Links to other pages, which keep the current choices: back and on at the foot of a page, or those that a wrong link may have meant.

import { flag } from "../../web/src/ui/elements";
import { part } from "../../web/src/ui/part";
import { early } from "../kit/payload";

/** page: its name; near: whether these are instead of a page that does not exist. */
export type Data = { near: boolean; ways: { page: string; href: string; words: string }[] };

const Ways = ({ ways, near }: Data) => (
  <nav data-near={flag(near)}>
    {ways.map(({ page, href, words }) => (
      <a key={page} class="to-page" href={href} children={words} />
    ))}
  </nav>
);

export const mountWays = part(Ways);
export default early(mountWays);

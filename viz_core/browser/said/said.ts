// A text of a page as Markdown, where there is no server that would set it.

import { fill } from "../../web/src/payload";
import { below } from "../kit/below";

/** figure: whose data have the counts in the text, if there are any. */
type About = { heading: string; text: string; figure: string };

export const mountSaid = below<About>(({ about: { heading, text, figure } }, _, { given }) => {
  const { counts = null } = (given[figure] ?? {}) as { counts?: Record<string, number> };
  if (figure && !counts) return null; // on its way
  return [{ name: "said", heading, text: counts ? fill(text, counts) : text }];
});

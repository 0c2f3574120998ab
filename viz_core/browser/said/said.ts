// A text of a page as Markdown, where there is no server that would set it.

import { below } from "../kit/below";

export const mountSaid = below<{ heading: string; text: string }>(({ about }) => [{ name: "said", ...about }]);

// Whether this window is a preview in the notes window: it shows what the wall shows, keeps nothing, and takes no key.

export const PREVIEW = "viz-preview"; // class of the frame

// Of another origin, the frame around a window is not to be seen.
export const isPreview = () => Boolean(globalThis.frameElement?.classList.contains(PREVIEW));

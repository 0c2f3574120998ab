// Previews in the notes window: such a window shows what the projector shows, stores nothing and takes no keys.

export const PREVIEW = "viz-preview"; // class of the iframe

// `frameElement` is null if the frame around this window is of another origin.
export const isPreview = () => Boolean(globalThis.frameElement?.classList.contains(PREVIEW));

/** Has the browser keep the site, so that it opens without a network. Where it cannot, nothing else is missing. */
export async function keepOffline(script: URL) {
  const { serviceWorker } = navigator as Partial<Navigator>; // absent without https, except on this machine
  try {
    await serviceWorker?.register(script, { updateViaCache: "none" });
    const registered = await serviceWorker?.ready;
    registered?.active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
  } catch {} // such as a full storage
}

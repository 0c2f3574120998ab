// Files of the server's that come when they are needed; of viz_core/app/fetched_file.py.

const coming = new Map(); // address → promise

// Returns a promise of its bytes; of "gone" where the server has forgotten it, of "away" where there is no server; of { error }, a
// sentence for the reader, where the address means nothing to it.
export function fetched(address) {
  if (!coming.has(address))
    coming.set(
      address,
      bring(address).finally(() => coming.delete(address)),
    );
  return coming.get(address);
}

async function bring(address) {
  try {
    const answer = await fetch(new URL(address, location.origin));
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.headers.get("Content-Type") === "application/json") return await answer.json();
    return answer.status === 404 ? "gone" : "away";
  } catch {
    return "away";
  }
}

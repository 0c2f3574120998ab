// The contents of the file: compressed, each once, by their hash.

import { bytesOf } from "../kit/payload";

// packed: hash → base64 of gzip. Returns (hash) => a promise of the bytes, unpacked once.
export function makeUnpack(packed) {
  const found = new Map();
  return (hash) => {
    if (!found.has(hash)) found.set(hash, inflate(bytesOf(packed[hash])));
    return found.get(hash);
  };
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

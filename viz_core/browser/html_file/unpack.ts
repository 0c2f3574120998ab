// The contents of the file: compressed, each once, by their hash.

import { bytesOf } from "../kit/payload";
import type { FileData, Unpack } from "./data";

// Each is unpacked once.
export function makeUnpack(packed: FileData["packed"]): Unpack {
  const found = new Map<string, ReturnType<Unpack>>();
  return (hash) => {
    const unpacked = found.get(hash) ?? inflate(bytesOf(packed[hash] ?? ""));
    found.set(hash, unpacked);
    return unpacked;
  };
}

async function inflate(bytes: Uint8Array<ArrayBuffer>) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The engine in a Web Worker: `new Worker(url, { type: "module" })`, then messages as in answering.ts.

import { type Request, answering } from "./answering";

// A message to itself comes after those that wait already; a timer would cost four milliseconds a step.
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = []; // several answers may be under way
port1.onmessage = () => waiting.shift()?.();
const turn = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });

const answer = answering(
  (message) => self.postMessage(message, { transfer: message.answer ? [message.answer.buffer as ArrayBuffer] : [] }),
  turn,
);
self.onmessage = async ({ data }: MessageEvent<Request>) => {
  await answer(data);
  const weights = data.open?.files.weights as Uint8Array<ArrayBuffer> | undefined;
  weights?.buffer?.transfer?.(0); // decoded by now: frees the file's bytes at once
};

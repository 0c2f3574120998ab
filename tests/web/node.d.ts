// What the tests use of Node.js.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  const assert: {
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    ok(value: unknown, message?: string): void;
    fail(message?: string): never;
  };
  export default assert;
}

declare module "node:crypto" {
  export function createHash(kind: string): { update(text: string): { digest(form: "hex"): string } };
}

declare module "node:fs" {
  export function readFileSync(path: string): Uint8Array;
  export function existsSync(path: string): boolean;
  export function openSync(path: string, flags: string): number;
  export function writeSync(file: number, bytes: ArrayBufferView): number;
  export function writeFileSync(path: string, bytes: Uint8Array): void;
  export function closeSync(file: number): void;
}

declare module "node:readline" {
  export function createInterface(options: { input: unknown }): { on(event: "line", hear: (line: string) => void): void };
}

declare const process: { stdin: unknown; stdout: { write(text: string): void }; cpuUsage(): { user: number } };

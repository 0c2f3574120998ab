// The random numbers of Python's draws: NumPy's SeedSequence makes a seed of 32 bits, from which torch's MT19937 makes the numbers.

const next32 = Math.imul;

/** The numbers of one draw, evenly from 0…1, as in viz_core/decoding/sampling.py. */
export function stream(seed: number, draw: number) {
  const engine = mersenneTwister(seedSequence([...words(seed), ...words(draw)]));
  return () => ((engine() & 0x1fffff) * 2 ** 32 + engine()) / 2 ** 53;
}

const words = (number: number) => (number < 2 ** 32 ? [number] : [number % 2 ** 32, Math.floor(number / 2 ** 32)]);

/** The first of NumPy's `SeedSequence(entropy).generate_state` (O'Neill 2015, "Developing a seed_seq alternative"). */
function seedSequence(entropy: readonly number[]) {
  let constant = 0x43b0d7e5;
  const hashed = (value: number) => {
    const before = value ^ constant;
    constant = next32(constant, 0x931e8875);
    const product = next32(before, constant);
    return product ^ (product >>> 16);
  };
  const mixed = (x: number, y: number) => {
    const result = (next32(0xca01f9dd, x) - next32(0x4973f715, y)) | 0;
    return result ^ (result >>> 16);
  };
  const pool = [0, 1, 2, 3].map((at) => hashed(entropy[at] ?? 0));
  for (let from = 0; from < 4; from += 1)
    for (let to = 0; to < 4; to += 1) if (from !== to) pool[to] = mixed(pool[to] as number, hashed(pool[from] as number));
  const product = next32((pool[0] as number) ^ 0x8b51f9dd, next32(0x8b51f9dd, 0x58f38ded));
  return (product ^ (product >>> 16)) >>> 0;
}

/** Numbers of 32 bits (Matsumoto & Nishimura 1998). */
function mersenneTwister(seed: number) {
  const state = new Uint32Array(624);
  state[0] = seed;
  for (let i = 1; i < 624; i += 1) {
    const before = state[i - 1] as number;
    state[i] = next32(1812433253, before ^ (before >>> 30)) + i;
  }
  let at = 624;
  return () => {
    if (at === 624) {
      for (let i = 0; i < 624; i += 1) {
        const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % 624] as number) & 0x7fffffff);
        state[i] = (state[(i + 397) % 624] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let y = state[at] as number;
    at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

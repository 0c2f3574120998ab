// The ends of colour scales, as `colour_limit` in viz_core/analysis/embeddings.py.

/** The end of a scale that holds this share of all numbers in some arrays, rounded up to two significant digits. */
export function colourLimit(arrays: readonly Float32Array[], inside = 1) {
  const sizes = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const array of arrays) {
    sizes.set(array.map(Math.abs), end);
    end += array.length;
  }
  const edge = Math.max(quantile(sizes.sort(), inside), 1e-6);
  const unit = 10 ** (Math.floor(Math.log10(edge)) - 1);
  return Math.ceil(edge / unit) * unit;
}

/** Between two numbers it is interpolated. The place is rounded to float32, as in NumPy. */
function quantile(sorted: Float32Array, share: number) {
  const place = Math.fround(Math.fround(share) * (sorted.length - 1));
  const at = Math.min(Math.floor(place), sorted.length - 1);
  const [low, high] = [sorted[at] as number, sorted[Math.min(at + 1, sorted.length - 1)] as number];
  return low + (high - low) * (place - at);
}

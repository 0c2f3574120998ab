// softmax(z / T) over the whole vocabulary, in float64 (JavaScript's only kind of number).

// The largest logit is taken off first: the result is the same, and nothing overflows however small T is.
// Returns { probabilities (V,), bits }.
export function softmax(logits, temperature) {
  const most = largest(logits);
  const probabilities = new Float64Array(logits.length);
  let total = 0;
  let turned = 0;
  for (let i = 0; i < logits.length; i += 1) {
    const over = (logits[i] - most) / temperature;
    const weight = Math.exp(over);
    probabilities[i] = weight;
    total += weight;
    turned -= weight * over;
  }
  for (let i = 0; i < probabilities.length; i += 1) probabilities[i] /= total;
  return { probabilities, bits: (Math.log(total) + turned / total) / Math.LN2 };
}

export function chance(logits, id, temperature) {
  const most = largest(logits);
  let total = 0;
  for (let i = 0; i < logits.length; i += 1) total += Math.exp((logits[i] - most) / temperature);
  return Math.exp((logits[id] - most) / temperature) / total;
}

function largest(values) {
  let most = -Infinity;
  for (let i = 0; i < values.length; i += 1) if (values[i] > most) most = values[i];
  return most;
}

// Of all tokens but these.
export function others(values, ids) {
  const left = new Set(ids);
  let sum = 0;
  let low = Infinity;
  let high = -Infinity;
  let count = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (left.has(i)) continue;
    const value = values[i];
    sum += value;
    if (value < low) low = value;
    if (value > high) high = value;
    count += 1;
  }
  return { sum, low, high, count, mean: count ? sum / count : 0 };
}

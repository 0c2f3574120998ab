// Predict, then reveal: what the class has not seen yet.

// The first step whose word is still to be guessed, while words are guessed at all. A key reveals one word, and no later one.
export function guessedFrom({ predict, revealed, step }) {
  return predict === "word" ? step + Number(revealed) : Infinity;
}

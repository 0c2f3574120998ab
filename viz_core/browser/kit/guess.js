// Predict, then reveal: what the class has not seen yet.

// The first step whose word is still to be guessed, while words are guessed at all. A key reveals one word, and no
// later one.
export function guessedFrom({ predict, revealed, step }) {
  return predict === "word" ? step + Number(revealed) : Infinity;
}

// Whether something is hidden that the next key reveals.
export function hides({ predict, revealed }) {
  return Boolean(predict) && !revealed;
}

/**
 * Typo hints.
 *
 * @module
 */

/** The word that a typo most likely meant: at most two edits away, and less than half of it. */
export function nearest(typo: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(2, Math.floor((typo.length - 1) / 2));
  for (const word of words) {
    const distance = editDistance(typo, word);
    if (distance < bestDistance || (distance === bestDistance && best === undefined)) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein's distance, by rows. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitution = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}

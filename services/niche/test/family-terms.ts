/** So many terms of one first word that the store suggests, in families of ten, which share their results (`createFakeScoring`). */
export function familyTerms(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} kind${Math.floor(index / 10)} term${index}`);
}

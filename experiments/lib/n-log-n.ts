/** What work of n log n grows with. */
export function nLogN(size: number): number {
  return size * Math.log2(size);
}

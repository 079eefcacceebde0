/**
 * A keyword as a field name: dots, dollar signs and digits alone would be read as paths, operators and list indexes.
 */
export function fieldOf(keyword: string): string {
  return `k${Buffer.from(keyword).toString('base64url')}`;
}

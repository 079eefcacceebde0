import { normalizeKeyword } from './keyword.ts';

/** The keywords as they were sent, each once: of those with the same normal form the first. `lang`: BCP 47. */
export function withoutRepeats(keywords: readonly string[], lang: string): string[] {
  const seen = new Set<string>();
  return keywords.filter((keyword) => {
    const normal = normalizeKeyword(keyword, lang);
    if (seen.has(normal)) return false;
    seen.add(normal);
    return true;
  });
}

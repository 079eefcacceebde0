import { LRUCache } from 'lru-cache';
import type { ReadOptions, Storefront, StoreSource } from './sources/source.ts';

/** Completed to something in every storefront, or so we believe. */
const firstCanary = 'a';
const maxStorefronts = 2000;

/**
 * A store that throttles its suggestions answers like one that has none. An empty list is therefore believed only when
 * a prefix of the same storefront that has suggestions is asked afterwards and still has them; else the terms are null.
 */
export function withBelievableSuggestions(source: StoreSource): StoreSource {
  /** A prefix per storefront that had suggestions when it was last asked. */
  const canaries = new LRUCache<string, string>({ max: maxStorefronts });

  async function ask(storefront: Storefront, prefix: string, options: ReadOptions) {
    const answer = await source.suggest(storefront, prefix, options);
    if (answer.terms && answer.terms.length > 0) canaries.set(keyOf(storefront), prefix);
    return answer;
  }

  /** Whether suggestions come at all, found out now. */
  async function isAnswering(storefront: Storefront, options: ReadOptions): Promise<boolean> {
    const known = canaries.get(keyOf(storefront));
    for (const canary of new Set([known ?? firstCanary, firstCanary])) {
      const { terms } = await ask(storefront, canary, options);
      if (terms && terms.length > 0) return true;
    }
    return false;
  }

  return {
    ...source,
    async suggest(storefront, prefix, options) {
      const answer = await ask(storefront, prefix, options);
      if (answer.terms === null || answer.terms.length > 0) return answer;
      return (await isAnswering(storefront, options)) ? answer : { ...answer, terms: null };
    },
  };
}

function keyOf({ store, country, lang }: Storefront): string {
  return `${store}:${country}:${lang}`;
}

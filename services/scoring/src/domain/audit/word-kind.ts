import type { Storefront } from '@shelfwise/facts/storefront';
import { stopWordsOf } from '../text/stop-words.ts';
import { wordsOf } from '../text/words.ts';
import { isSearchable } from './listing-terms.ts';

/**
 * What a word is to a listing. Only `content` can earn: `function` words (stop words, single letters) are not searched
 * for, and a store finds an app by its developer's name (`own-name`) and its `category` without any help.
 */
export type WordKind = 'content' | 'function' | 'own-name' | 'category';

/**
 * Tells the kind of a word in its normal form. Each word of the developer's name is an own name. A category counts as
 * it is called, as a whole: `weather` in Weather, but neither `photo` nor `video` in Photo & Video, which are ordinary
 * search terms.
 */
export function createWordKinds(listing: {
  storefront: Pick<Storefront, 'lang'>;
  developer_name: string;
  genre: string;
}): (word: string) => WordKind {
  const { lang } = listing.storefront;
  const stopWords = stopWordsOf(lang);
  const ownNames = new Set(wordsOf(listing.developer_name, lang));
  const genreWords = wordsOf(listing.genre, lang);
  const category = genreWords.length === 1 ? genreWords[0] : null;
  return (word) => {
    if (stopWords.has(word) || !isSearchable(word)) return 'function';
    if (ownNames.has(word)) return 'own-name';
    return word === category ? 'category' : 'content';
  };
}

import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { type Importance, importances } from '../../term-schedule.ts';
import { listingTerms } from './listing-terms.ts';

/**
 * The words and phrases of a keywords field alone, as `listingTerms` finds them: at most 200, usually fewer than 60. They
 * are read after the words of names and subtitles: a field is free to change, and the audits of other accounts wait for those.
 */
export function keywordsFieldTerms(
  storefront: Storefront,
  kwField: string,
): { keyword: string; importance: Importance }[] {
  const texts = { title: '', subtitle: '', description: '', kw_field: kwField };
  return listingTerms({ storefront, texts }).map(({ keyword }) => ({
    keyword,
    importance: importances.phrase,
  }));
}

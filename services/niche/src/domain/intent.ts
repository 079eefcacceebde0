import { searchVolume } from '@shelfwise/facts/search-volume';
import { mainGenres } from './cluster-results.ts';
import { type GenreIntent, intentOfGenre } from './genre-intents.ts';
import { isQuestion } from './is-question.ts';
import type { NicheContext, NicheTerm } from './niche-term.ts';

/** Why people search for the terms of a cluster. */
export type Intent = 'navigational' | 'informational' | GenreIntent;

/**
 * The intent of a cluster:
 * - `navigational` when its name and more than half of its searches name a brand
 * - else `informational` when its name or more than half of its searches ask a question (`how to`, `what is`)
 * - else the intent of the main genre of the terms' first ten apps
 * - `utility` when genres with different intents are equally frequent, or no genre is known
 *
 * (docs/scores.md, niches)
 * @param terms most traffic first, at least one
 */
export function intentOf(
  terms: readonly NicheTerm[],
  { store, lang }: Pick<NicheContext, 'store' | 'lang'>,
): Intent {
  const isBrand = ({ isNavigational }: NicheTerm) => isNavigational;
  const isQuestionTerm = ({ keyword }: NicheTerm) => isQuestion(keyword, lang);
  if (terms[0]?.isNavigational && isMost(terms, isBrand)) return 'navigational';
  if (terms.slice(0, 1).some(isQuestionTerm) || isMost(terms, isQuestionTerm)) return 'informational';
  const intents = new Set(mainGenres(terms, store).map(({ key }) => intentOfGenre(store, key)));
  const [intent = 'utility'] = intents;
  return intents.size === 1 ? intent : 'utility';
}

/** Whether `isTrue` holds for more than half of the searches. */
function isMost(terms: readonly NicheTerm[], isTrue: (term: NicheTerm) => boolean): boolean {
  return searches(terms.filter(isTrue)) > searches(terms) / 2;
}

function searches(terms: readonly NicheTerm[]): number {
  return terms.reduce((sum, { traffic }) => sum + searchVolume(traffic), 0);
}

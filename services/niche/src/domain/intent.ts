import { asksQuestion } from './asks-question.ts';
import { intentOfGenre } from './genre-intents.ts';
import { mainGenres } from './main-genres.ts';
import type { Market } from './market.ts';
import type { NicheTerm } from './niche-term.ts';

/** What people want who search for the terms of a cluster. */
export type Intent =
  | 'navigational'
  | 'informational'
  | 'utility'
  | 'entertainment'
  | 'games'
  | 'learning'
  | 'social'
  | 'lifestyle'
  | 'shopping';

/**
 * The intent of a cluster: `navigational` when its name is a brand's, and so are more than half of its searches;
 * `informational` when the name or more than half of them ask a question (`how to`, `what is`); else that of the main genre of the first ten apps of its
 * terms. Genres that are as frequent and mean different things, and results without a known genre, are `utility`.
 * (spec: scoring, niche analysis)
 * @param terms most traffic first, at least one
 */
export function intentOf(
  terms: readonly NicheTerm[],
  { store, lang }: Pick<Market, 'store' | 'lang'>,
): Intent {
  const isBrand = ({ isNavigational }: NicheTerm) => isNavigational;
  const isQuestion = ({ keyword }: NicheTerm) => asksQuestion(keyword, lang);
  if (terms[0]?.isNavigational && areMost(terms, isBrand)) return 'navigational';
  if (terms.slice(0, 1).some(isQuestion) || areMost(terms, isQuestion)) return 'informational';
  const intents = new Set(mainGenres(terms, store).map(({ key }) => intentOfGenre(store, key)));
  const [intent = 'utility'] = intents;
  return intents.size === 1 ? intent : 'utility';
}

/** Whether it is true of more than half of the searches. */
function areMost(terms: readonly NicheTerm[], isTrue: (term: NicheTerm) => boolean): boolean {
  return searches(terms.filter(isTrue)) > searches(terms) / 2;
}

/** About how often they are searched, relative to others. (spec: scoring, `vol`) */
function searches(terms: readonly NicheTerm[]): number {
  return terms.reduce((sum, { traffic }) => sum + Math.exp(0.0615 * traffic), 0);
}

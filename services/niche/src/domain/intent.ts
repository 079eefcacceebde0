import { mainGenres } from './cluster-results.ts';
import { type GenreIntent, intentOfGenre } from './genre-intents.ts';
import { isQuestion } from './is-question.ts';
import type { NicheContext, NicheTerm } from './niche-term.ts';

/** What people want who search for the terms of a cluster. */
export type Intent = 'navigational' | 'informational' | GenreIntent;

/**
 * The intent of a cluster: `navigational` when its name is a brand's, and so are more than half of its searches;
 * `informational` when the name or more than half of them ask a question (`how to`, `what is`); else that of the main genre of the first ten apps of its
 * terms. Genres that are as frequent and mean different things, and results without a known genre, are `utility`.
 * (spec: scoring, niche analysis)
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

/** Whether it is true for more than half of the searches. */
function isMost(terms: readonly NicheTerm[], isTrue: (term: NicheTerm) => boolean): boolean {
  return searches(terms.filter(isTrue)) > searches(terms) / 2;
}

/** About how often they are searched, relative to others. (spec: scoring, `vol`) */
function searches(terms: readonly NicheTerm[]): number {
  return terms.reduce((sum, { traffic }) => sum + Math.exp(0.0615 * traffic), 0);
}

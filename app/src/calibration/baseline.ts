import { countWords } from '@shelfwise/facts/text/count-words';
import { countCharacters, keywordLength } from '@shelfwise/facts/text/keyword';
import type { ScoreName, TermReading } from './term-reading.ts';

/** A guess that needs no formula. A score that does not beat it adds nothing. */
export type Baseline = {
  /** a phrase such as `fewer words first` */
  description: string;
  /** Higher: the guess expects a higher known value. Null: it has no basis for this term. */
  guess(reading: TermReading): number | null;
};

/** The naive guess that a score is compared with. */
export const baselines: Readonly<Record<ScoreName, Baseline>> = {
  traffic: {
    description: 'terms with fewer words first, among them those with fewer characters',
    guess: ({ term, storefront }) =>
      -(countWords(term, storefront.lang) * (keywordLength.max + 1) + countCharacters(term)),
  },
  difficulty: {
    description: 'the rating count of the first app on the result page',
    guess: (reading) => reading.first_app_ratings,
  },
  kei: {
    description: 'terms whose first app has fewer ratings first',
    guess: ({ first_app_ratings: ratings }) => (ratings === null ? null : -ratings),
  },
};

import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import { createTermWords } from '../audit/words/term-words.ts';
import type { Candidate } from './basket.ts';
import { chooseDescribedTerms, describedTerms } from './described-terms.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const play = { ...us, store: 'GPLAY' } as const;
const own = (keyword: string, isBrand = false) => ({ keyword, isBrand });
const termsOf = (
  description: string | null,
  candidates: readonly { keyword: string; isBrand: boolean }[] = [],
  storefront: typeof us | typeof play = us,
) => describedTerms({ storefront, description }, candidates);

/** 60 words, and none is a term. */
const opening = 'the '.repeat(60);

describe('the terms of a description', () => {
  test('come in the order of how often it says them, then the shorter ones, then as in the text', () => {
    expect(termsOf(`${opening} Water plan. Streak, streak. Plan. Water. Streak.`)).toEqual([
      'streak',
      'water',
      'plan',
      'water plan',
    ]);
    expect(termsOf('Water plan')).toEqual(['water', 'plan', 'water plan']);
  });

  test('are no common words alone, and each comes in one form', () => {
    expect(termsOf('Free app. Free habit, habits.')).toEqual(['habit', 'free habit']);
  });

  test('are none that the listing or its accounts have, in any form, and hold no brand that these name', () => {
    const candidates = [own('habits'), own('streaks', true), own('offer up', true)];
    const description = 'Habit. Streak. Streaks plan. Offer up. Offer.';
    expect(termsOf(description, candidates)).toEqual(['offer', 'plan']);
  });

  test('are known on Google Play, too, where only the description says them', () => {
    expect(termsOf('Water plan', [], play)).toEqual(termsOf('Water plan'));
  });

  test('are none without a description', () => {
    expect(termsOf(null)).toEqual([]);
    expect(termsOf('')).toEqual([]);
  });

  test('are at most 400, each of words that the description says, and the same for the same text', () => {
    const text = fc
      .array(
        fc.constantFrom('water', 'plans', 'plan', 'free', 'the', 'café', '写真', '.', '\n', 'streak 7'),
        {
          maxLength: 600,
        },
      )
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(text, (description) => {
        const words = createTermWords('en-US');
        const terms = termsOf(description);
        const said = new Set(words.formsIn(description));
        expect(terms.length).toBeLessThanOrEqual(400);
        expect(new Set(terms.map(words.formOf)).size).toBe(terms.length);
        for (const term of terms) expect(words.formsIn(term).every((form) => said.has(form))).toBe(true);
        expect(termsOf(description)).toEqual(terms);
      }),
      atLeastRuns(50),
    );
    const long = Array.from({ length: 600 }, (_, at) => `w${at}`).join(' ');
    expect(termsOf(long)).toHaveLength(400);
  });
});

describe('choosing among them', () => {
  const terms = Array.from({ length: 30 }, (_, at) => `term ${at}`);
  const known = (at: number, changes: Partial<Candidate> = {}): Candidate => ({
    keyword: `term ${at}`,
    traffic: 40,
    searchStatus: 'searched',
    isBrand: false,
    ...changes,
  });
  const choose = (...candidates: Candidate[]) => {
    const byKeyword = new Map(candidates.map((candidate) => [candidate.keyword, candidate]));
    return chooseDescribedTerms(terms, (keyword) => byKeyword.get(keyword) ?? null);
  };

  test('if nothing is known, the first ten are to be measured', () => {
    expect(choose()).toEqual(terms.slice(0, 10));
  });

  test('if ten are known that fill a basket, these alone are chosen, and none is to be measured', () => {
    const later = Array.from({ length: 12 }, (_, at) => known(at + 15));
    expect(choose(...later)).toEqual(terms.slice(15, 25));
  });

  test('with fewer, those of the first ten are added about which it is not known if they are searched', () => {
    const chosen = choose(
      known(0),
      known(1, { searchStatus: 'unsearched' }),
      known(2, { isBrand: true }),
      known(3, { searchStatus: 'pending' }),
      known(20),
      known(21, { searchStatus: 'unsearched' }),
      known(22, { searchStatus: 'pending' }),
    );
    const expected = [0, 3, 4, 5, 6, 7, 8, 9, 20].map((at) => `term ${at}`);
    expect(chosen).toEqual(expected);
  });

  test('once the first ten are read, no further ones are to be measured', () => {
    const unsearched = terms
      .slice(0, 10)
      .map((_, at) => known(at, { searchStatus: 'unsearched', traffic: 2 }));
    expect(choose(...unsearched)).toEqual([]);
  });
});

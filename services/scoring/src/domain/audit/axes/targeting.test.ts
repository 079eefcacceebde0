import type { Tier } from '@shelfwise/facts/tiers';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../../testing/at-least-runs.ts';
import { evenlyBetween } from '../../../../../../testing/evenly-between.ts';
import { createTermWords } from '../words/term-words.ts';
import type { AimedTerm } from './aimed-terms.ts';
import { creditOf, verdictOf } from './reach.ts';
import { lostShare, type TargetingAmounts, targetingOf } from './targeting.ts';

const words = createTermWords('en-US');

/** A searched term that the app is certain to win, apart from `changes`. */
function term(name: string, traffic: number, changes: Partial<AimedTerm> = {}): AimedTerm {
  return {
    name,
    field: 'title',
    traffic,
    difficulty: 50,
    is_partial: false,
    suspected_brand: null,
    results: 10,
    searchStatus: 'searched',
    relevance: null,
    parts: null,
    gain: 1,
    rank: 1,
    brandRole: null,
    form: words.formOf(name),
    words: words.formsIn(name),
    isCommon: words.isCommon(name),
    ...changes,
  };
}

const stranger = { gain: 0, rank: null } as const;
const targeting = (...terms: AimedTerm[]) => targetingOf(2, terms);
const scoreOf = (...terms: AimedTerm[]) => Math.round(targeting(...terms)?.score ?? Number.NaN);
const amountOf = (amounts: TargetingAmounts | null, name: string) => amounts?.terms.get(name);

describe('worked examples', () => {
  const streaks = term('streaks', 51, { brandRole: 'own' });

  test('a habit tracker with nothing but its brand, then with a word that it ranks third for, or a stranger’s', () => {
    expect(scoreOf(streaks)).toBe(27);
    expect(scoreOf(streaks, term('habits', 47, { rank: 3 }))).toBe(46);
    // 51 - .4 * 30 = 39
    expect(scoreOf(streaks, term('zebra', 30, stranger))).toBe(22);
  });

  test('what is lost can take all but the last point', () => {
    expect(scoreOf(streaks, term('zebra', 100, stranger), term('violin', 100, stranger))).toBe(1);
    expect(scoreOf(term('zebra', 100, stranger))).toBe(0);
  });

  test('a phrase lends its gain to the terms in it, for what they lose', () => {
    const phrase = term('habit tracker', 40);
    const amounts = targeting(phrase, term('habits', 60, stranger), term('log', 60, stranger));
    expect(amountOf(amounts, 'habits')).toMatchObject({ listingGain: 1, won: 0, lost: 0 });
    expect(amountOf(amounts, 'log')).toMatchObject({ listingGain: 0, won: 0, lost: 60 });
    expect(amounts).toMatchObject({ won: 40, lost: 60 });
  });

  test('a phrase whose page is not read lends nothing', () => {
    const unread = term('habit tracker', 40, { searchStatus: 'ungraded', difficulty: null });
    expect(amountOf(targeting(unread, term('habit', 60, stranger)), 'habit')?.lost).toBe(60);
  });

  test.each(['rival', 'suspected'] as const)('the brand of a %s takes no gain from a phrase', (brandRole) => {
    const amounts = targeting(term('habit duolingo', 40), term('duolingo', 60, { ...stranger, brandRole }));
    expect(amountOf(amounts, 'duolingo')).toMatchObject({
      listingGain: 0,
      lost: 60,
      verdict: 'out-of-reach',
    });
  });

  test('the own brand and the words in its phrases give at most 100, and lose nothing', () => {
    const brand = { brandRole: 'own' } as const;
    const amounts = targeting(
      term('fitness pal', 80, brand),
      term('fitness', 70, { gain: 0.5 }),
      term('pal', 60, { gain: 0, rank: null }),
    );
    expect(amounts).toMatchObject({ won: 100, lost: 0 });
    expect(Math.round(amounts?.score ?? 0)).toBe(46);
    expect(amountOf(amounts, 'fitness')).toMatchObject({ isOwnBrand: true, won: 35, lost: 0 });
  });

  test('a phrase within a phrase of the own brand is not under its limit, so that the brand does not take its place', () => {
    const brand = { brandRole: 'own' } as const;
    const generic = [term('file', 43), term('file manager', 74), term('manager', 42)];
    const amounts = targeting(
      term('drawerbeacon', 74, brand),
      term('drawerbeacon file manager', 28, brand),
      ...generic,
    );
    expect(amounts).toMatchObject({ won: 174, lost: 0 });
    expect(amountOf(amounts, 'file')).toMatchObject({ isOwnBrand: true });
    expect(amountOf(amounts, 'file manager')).toMatchObject({ isOwnBrand: false, won: 74 });
    expect(targeting(...generic)?.won).toBe(159);
  });

  test('a form of the own brand is the own brand, too', () => {
    const amounts = targeting(term('streak', 60, stranger), streaks);
    expect(amounts).toMatchObject({ won: 51, lost: 0 });
    expect(amountOf(amounts, 'streak')).toMatchObject({ isOwnBrand: true, lost: 0, sameAs: 'streaks' });
  });

  test('a phrase lifts its words also where another form of it counts in its place', () => {
    const unwinnable = { difficulty: 100, rank: null };
    const amounts = targeting(
      term('habit tracker', 40, { gain: 0.5 }),
      term('habit trackers', 30, unwinnable),
      term('tracker', 60, stranger),
    );
    expect(amountOf(amounts, 'habit trackers')).toMatchObject({ sameAs: 'habit tracker' });
    expect(amountOf(amounts, 'tracker')).toMatchObject({ listingGain: 1, lost: 0 });
  });

  test('common words alone lose nothing', () => {
    expect(targeting(term('free photo', 60, stranger))).toMatchObject({ won: 0, lost: 0 });
    expect(targeting(term('free zebra', 60, stranger))).toMatchObject({ lost: 60 });
  });

  test('of the forms of a term the one that brings most counts, or if none wins, the one that loses most', () => {
    const amounts = targeting(term('habit', 60, { rank: 20, difficulty: 99 }), term('habits', 47));
    expect(amounts).toMatchObject({ won: 47, lost: 0 });
    expect(amountOf(amounts, 'habit')).toMatchObject({ won: 0, lost: 0, sameAs: 'habits' });
    const losing = targeting(term('zebra', 60, stranger), term('zebras', 47, stranger));
    expect(losing).toMatchObject({ won: 0, lost: 60 });
  });

  test('without a graded term there is no score', () => {
    expect(targeting()).toBeNull();
    expect(targeting(term('habit', 90, { searchStatus: 'ungraded', difficulty: null }))).toBeNull();
    expect(targeting(term('habit', 90, { searchStatus: 'pending' }))).toBeNull();
  });
});

test.each([
  ['rival-brand', { gain: 0, brandRole: 'rival', rank: 7 }],
  ['not-your-business', { gain: 0, rank: null }],
  ['not-your-business', { gain: 0.25, rank: null, difficulty: 1 }],
  ['too-hard', { gain: 1, rank: null, difficulty: 90 }],
  ['held', { gain: 1, rank: 10, difficulty: 90 }],
  [null, { gain: 1, rank: 11, difficulty: 20 }],
  [null, { gain: 1, rank: null, difficulty: 20, brandRole: 'own' }],
] as const)('the reason %p of a term %p', (reason, changes) => {
  expect(amountOf(targeting(term('habit', 40, changes)), 'habit')?.reason).toBe(reason);
});

describe('for any terms', () => {
  const tier = fc.constantFrom<Tier>(1, 2, 3);
  const names = ['habit', 'habits', 'tracker', 'zebra', 'zebras', 'free', 'violin', 'kite', 'kites'];
  const name = fc.oneof(
    fc.constantFrom(...names),
    fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)).map(([a, b]) => `${a} ${b}`),
    fc.constantFrom('daily habit tracker', 'habit tracker kite'),
  );
  const changes = fc.record({
    traffic: fc.integer({ min: 5, max: 100 }),
    difficulty: fc.option(fc.nat(100), { freq: 9 }),
    gain: fc.oneof(fc.constantFrom(0, 0, 1), evenlyBetween(0, 1)),
    rank: fc.option(fc.integer({ min: 1, max: 100 })),
    brandRole: fc.constantFrom(null, null, null, 'own', 'rival', 'suspected'),
    searchStatus: fc.constantFrom('searched', 'searched', 'searched', 'ungraded', 'unsearched'),
  });
  type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;
  /** The brand of a term is that of its forms, because brands are found by forms. */
  const toTerms = (list: readonly (readonly [string, Changes])[]) => {
    const roles = new Map<string, AimedTerm['brandRole']>();
    const terms = new Map<string, AimedTerm>();
    for (const [key, { traffic, ...rest }] of list) {
      const form = words.formOf(key);
      const brandRole = roles.get(form) ?? (roles.has(form) ? null : rest.brandRole);
      roles.set(form, brandRole);
      terms.set(key, term(key, traffic, { ...rest, brandRole } as Partial<AimedTerm>));
    }
    return [...terms.values()];
  };
  const listing = fc.array(fc.tuple(name, changes), { minLength: 1, maxLength: 12 }).map(toTerms);
  const exact = (at: Tier, terms: readonly AimedTerm[]) => targetingOf(at, terms)?.score ?? 0;
  const tiny = 1e-9;
  /** The last term of a listing, and the listing without it. */
  const split = (terms: readonly AimedTerm[]) => ({
    before: terms.slice(0, -1),
    added: terms.at(-1) as AimedTerm,
  });

  test('targeting is from 0 to 100, and the order of the terms does not matter', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const value = exact(at, terms);
        expect(value >= 0 && value <= 100).toBe(true);
        expect(exact(at, terms.toReversed())).toBeCloseTo(value, 9);
      }),
    );
  });

  test('a winnable term that is no phrase of the own brand never lowers it', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const { before, added } = split(terms);
        const amount = targetingOf(at, terms)?.terms.get(added.name);
        fc.pre(amount !== undefined && !(added.brandRole === 'own' && added.words.length > 1));
        fc.pre(added.gain * amount.credit >= lostShare * (1 - amount.listingGain));
        expect(exact(at, terms)).toBeGreaterThanOrEqual(exact(at, before) - tiny);
      }),
      atLeastRuns(1_000),
    );
  });

  test('a term with gain 0 never raises it', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const { before, added } = split(terms);
        const worthless = { ...added, gain: 0 };
        expect(exact(at, [...before, worthless])).toBeLessThanOrEqual(exact(at, before) + tiny);
      }),
      atLeastRuns(1_000),
    );
  });

  test('a term that is not the app’s business lowers it, however much is won', () => {
    const traffic = fc.integer({ min: 5, max: 100 });
    fc.assert(
      fc.property(tier, listing, fc.array(traffic, { maxLength: 9 }), traffic, (at, terms, winners, lost) => {
        const all = [...terms, ...winners.map((one, index) => term(`winner${index}`, one))];
        const before = exact(at, all);
        // The last point cannot be lost.
        fc.pre(before > 1);
        expect(exact(at, [...all, term('xylophone', lost, stranger)])).toBeLessThan(before);
      }),
    );
  });

  test('terms and phrases whose page is not read, or that people do not search for, change nothing', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const read = terms.filter(({ searchStatus }) => searchStatus === 'searched');
        expect(targetingOf(at, terms)).toEqual(targetingOf(at, read));
      }),
    );
  });

  test('a listing whose terms are all of its brand has at most 47', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const own = terms.map((one) => ({
          ...one,
          brandRole: 'own' as const,
          gain: Math.max(0.01, one.gain),
        }));
        expect(Math.round(exact(at, own))).toBeLessThanOrEqual(47);
      }),
    );
  });

  test('a term in another form with the same figures adds nothing', () => {
    fc.assert(
      fc.property(tier, listing, fc.nat(11), (at, terms, which) => {
        const known = terms[which % terms.length] as AimedTerm;
        const repeated = { ...known, name: `${known.name} (again)` };
        expect(exact(at, [...terms, repeated])).toBeCloseTo(exact(at, terms), 9);
      }),
    );
  });

  test('one form of a term counts: that which brings most of those that win, or else costs most; the verdict follows from it', () => {
    type Row = {
      one: AimedTerm;
      row: TargetingAmounts['terms'] extends ReadonlyMap<string, infer T> ? T : never;
    };
    const wonBy = ({ one, row }: Row) => (one.traffic ?? 0) * one.gain * row.credit;
    const lostBy = ({ one, row }: Row) =>
      row.isOwnBrand || one.isCommon ? 0 : (one.traffic ?? 0) * (1 - row.listingGain);
    const worthOf = (given: Row) => wonBy(given) - 0.4 * lostBy(given);
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const amounts = targetingOf(at, terms)?.terms;
        const rows = terms.flatMap((one): Row[] => {
          const row = amounts?.get(one.name);
          return row ? [{ one, row }] : [];
        });
        for (const given of rows) {
          const { one, row } = given;
          const forms = rows.filter((other) => other.one.form === one.form);
          const [counted, ...more] = forms.filter((other) => other.row.sameAs === null) as [Row, ...Row[]];
          const winning = forms.filter((other) => wonBy(other) > 0).map(worthOf);
          const best = winning.length > 0 ? Math.max(...winning) : Math.min(...forms.map(worthOf));
          expect([more.length, worthOf(counted)]).toEqual([0, best]);
          expect(row.lost).toBe(given === counted ? lostBy(given) : 0);
          const isWinnable = one.gain * row.credit >= lostShare * (1 - row.listingGain);
          const verdict = verdictOf(at, { difficulty: one.difficulty ?? 0, rank: one.rank }, isWinnable);
          expect([row.verdict, row.reason !== null && row.reason !== 'held']).toEqual([
            verdict,
            verdict === 'out-of-reach',
          ]);
        }
      }),
    );
  });

  test('it can be added up from its terms', () => {
    fc.assert(
      fc.property(tier, listing, (at, terms) => {
        const amounts = targetingOf(at, terms);
        if (amounts === null) return;
        const rows = [...amounts.terms.values()];
        const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
        const brand = sum(rows.filter(({ isOwnBrand }) => isOwnBrand).map(({ won }) => won));
        const others = sum(rows.filter(({ isOwnBrand }) => !isOwnBrand).map(({ won }) => won));
        const lost = sum(rows.map((row) => row.lost));
        const won = Math.min(100, brand) + others;
        const net = Math.max(0, won - 0.4 * lost);
        expect(amounts.score).toBeCloseTo(won > 0 ? Math.max(1, 100 * (1 - Math.exp(-net / 160))) : 0, 9);
        for (const [key, row] of amounts.terms) {
          const one = terms.find((known) => known.name === key) as AimedTerm;
          expect(row.credit).toBe(creditOf(at, { difficulty: one.difficulty ?? 0, rank: one.rank }));
          if (row.sameAs === null) expect(row.won).toBe((one.traffic ?? 0) * one.gain * row.credit);
        }
      }),
    );
  });

  test('harder terms never raise it, and a higher tier or a better rank never lowers it', () => {
    fc.assert(
      fc.property(listing, fc.nat(100), fc.nat(11), (terms, harder, which) => {
        const at = which % terms.length;
        const { difficulty, rank } = terms[at] as AimedTerm;
        const hard = difficulty === null ? null : Math.min(100, difficulty + harder);
        const change = (changed: Partial<AimedTerm>) =>
          terms.map((one, index) => (index === at ? { ...one, ...changed } : one));
        expect(exact(2, change({ difficulty: hard }))).toBeLessThanOrEqual(exact(2, terms) + tiny);
        expect(exact(2, change({ rank: Math.min(rank ?? 100, 3) }))).toBeGreaterThanOrEqual(
          exact(2, terms) - tiny,
        );
        expect(exact(2, terms)).toBeGreaterThanOrEqual(exact(1, terms) - tiny);
        expect(exact(3, terms)).toBeGreaterThanOrEqual(exact(2, terms) - tiny);
      }),
    );
  });
});

import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import {
  type Drawn,
  formOf,
  inputOf,
  limitOf,
  listing,
  listingOf,
  text,
  tiny,
  vocabulary,
  withText,
} from '../../../test/any-listing.ts';
import { reportOf } from '../../../test/build-audit-input.ts';
import type { AsoReport } from './aso-report.ts';
import { type AuditInput, type TermScore, unmeasured } from './audit-input.ts';
import { auditListing } from './audit-listing.ts';
import { axisDeltas, axisScoresOf, deltaBounds } from './axes/axis-scores.ts';
import { scoreRanges } from './axes/score-ranges.ts';
import { createTermFits } from './axes/term-fit.ts';
import type { WordStatus } from './axes/word-table.ts';
import { readListing } from './read-listing.ts';

/** Properties of what an audit says about any listing, and about drafts of it. */

type Field = AsoReport['fields'][number];
const isEarning = ({ status }: { status: WordStatus }) => status === 'earning' || status === 'extra-reach';
const wordsIn = (fields: readonly Field[], key: string) => fields.find((one) => one.key === key)?.words ?? [];

test('a reader can add coverage and the overall score up from the report', () => {
  const aims: Record<Store, Record<string, [weight: number, traffic: number]>> = {
    ITUNES: { title: [0.45, 120], subtitle: [0.3, 120], kw_field: [0.25, 300] },
    GPLAY: { title: [0.4, 120], subtitle: [0.25, 160], description: [0.35, 400] },
  };
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  fc.assert(
    fc.property(listing, ({ store, ...drawn }) => {
      const { axes, global, fields } = reportOf(inputOf({ store, ...drawn }));
      const scored = fields.flatMap(({ key, score, words }) => {
        const [weight, aim] = aims[store][key] ?? [0, 0];
        if (score === null) return [];
        const earning = words.filter(isEarning);
        const traffic = 1 - Math.exp(-sum(words.map(({ counts }) => counts ?? 0)) / (1.25 * aim));
        const filled = sum(earning.map(({ name, gain = 0 }) => countUnits(name) * gain));
        const characters = Math.min(1, filled / (0.8 * limitOf(store, key)));
        const expected = key === 'description' ? traffic : 0.6 * traffic + 0.4 * characters;
        // The gains have two decimals: at most .005 of 30 characters.
        expect(Math.abs(score - 100 * expected)).toBeLessThanOrEqual(0.5 + 0.3);
        return [{ weight, part: weight * score }];
      });
      const [coverage = 0, ...others] = axes.map(({ score }) => score);
      const mean = sum(scored.map(({ part }) => part)) / sum(scored.map(({ weight }) => weight));
      expect(Math.abs(coverage - mean)).toBeLessThanOrEqual(1 + tiny);
      expect(global).toBe(Math.round(Math.cbrt(others.reduce((product, one) => product * one, coverage))));
    }),
  );
});

test('a word, in all its forms, earns in one field at most; the names of category and developer do not in the keywords field', () => {
  const more = ['the', 'quillfoot', 'reference'];
  fc.assert(
    fc.property(listingOf([...vocabulary, 'habits', 'goals', ...more]), (drawn) => {
      const { fields } = reportOf(inputOf(drawn));
      const earned = new Set<string>();
      const seen = new Set<string>();
      for (const { key, words } of fields) {
        for (const word of words.filter(isEarning)) {
          expect([word.name, earned.has(formOf(word.name)), seen.has(word.name)]).toEqual([
            word.name,
            false,
            false,
          ]);
          earned.add(formOf(word.name));
          expect(key === 'kw_field' ? more : ['the']).not.toContain(word.name);
        }
        for (const { name } of words) seen.add(name);
      }
    }),
  );
});

test('Google Play’s description repeats or lacks each word that the other fields earn, and reaches further by none of theirs', () => {
  fc.assert(
    fc.property(listing, (drawn) => {
      const { fields } = reportOf(inputOf({ ...drawn, store: 'GPLAY' }));
      const earlier = [...wordsIn(fields, 'title'), ...wordsIn(fields, 'subtitle')];
      const earned = new Set(earlier.filter(isEarning).map(({ name }) => formOf(name)));
      const described = wordsIn(fields, 'description');
      for (const { name, status, occurrences } of described) {
        const isKept = earned.has(formOf(name));
        expect([name, ['covered', 'missing'].includes(status)]).toEqual([name, isKept]);
        if (isKept) expect(status).toBe(occurrences === 0 ? 'missing' : 'covered');
        if (status === 'extra-reach') expect(earlier.map((word) => word.name)).not.toContain(name);
      }
      const forms = new Set(described.map(({ name }) => formOf(name)));
      for (const form of earned) expect(forms).toContain(form);
    }),
  );
});

test('the brand of another developer counts only at rank 3 or better, and takes no gain from a phrase', () => {
  fc.assert(
    fc.property(listing, (drawn) => {
      const { aimed, amounts, fields, words } = readListing(inputOf(drawn));
      const isDenied = (rank: number | null) => !drawn.hasApp || rank === null || rank > 3;
      const roles = new Map(aimed.map(({ name, brandRole }) => [name, brandRole]));
      const rows = fields.flatMap((field) => field.words);
      for (const { name, brandRole, gain, rank, parts, relevance } of aimed) {
        const content = words.contentWordsOf(name);
        const isOfRivals = content.length > 0 && content.every((word) => roles.get(word) === 'rival');
        if (isOfRivals && brandRole !== 'own') expect([name, brandRole]).toEqual([name, 'rival']);
        if (brandRole === 'rival' && isDenied(rank)) expect([name, gain]).toEqual([name, 0]);
        if (!drawn.hasApp) expect([relevance, gain]).toEqual([null, brandRole === 'rival' ? 0 : 1]);
        if (brandRole !== 'rival' && brandRole !== 'suspected') continue;
        expect(amounts?.terms.get(name)?.listingGain ?? gain).toBe(gain);
        for (const row of rows.filter((one) => one.name === name))
          expect([name, row.gain]).toEqual([name, gain]);
        if (brandRole === 'suspected' && parts) expect([parts.near, parts.kind]).toEqual([null, null]);
      }
    }),
  );
});

test('what an account tracks changes no score and no gain', () => {
  fc.assert(
    fc.property(listing, listing, (drawn, other) => {
      const input = { ...inputOf(drawn), neighbors: null };
      const scored = (given: AuditInput) => {
        const { aimed, fields, amounts } = readListing(given);
        return { aimed, fields, amounts };
      };
      expect(scored({ ...input, tracked: inputOf(other).terms })).toEqual(scored(input));
    }),
  );
});

test('what a draft adds changes the gain of no term that the app has', () => {
  fc.assert(
    fc.property(listing, text(vocabulary, 6), (drawn, added) => {
      const given: Drawn = { ...drawn, store: 'ITUNES' };
      const [live, draft] = [given, withText(given, 'kw_field', added)].map(inputOf) as [
        AuditInput,
        AuditInput,
      ];
      const fits = [live, draft].map((input) => createTermFits(input).fitOf);
      for (const name of live.terms.keys())
        if (draft.terms.has(name)) expect(fits[1]?.(name)).toEqual(fits[0]?.(name));
    }),
  );
});

test('a term of partial traffic counts in no sum, even if a title proves that it is searched', () => {
  fc.assert(
    fc.property(listing, fc.infiniteStream(fc.boolean()), fc.boolean(), (drawn, drawnPartial, isAll) => {
      const input = inputOf(drawn);
      const isPartial = new Map(
        [...input.terms.keys()].map((name) => [name, isAll || drawnPartial.next().value]),
      );
      const partial = [...input.terms].map(([name, score]): [string, TermScore] => [
        name,
        isPartial.get(name) ? { ...score, is_partial: true } : score,
      ]);
      const report = reportOf({ ...input, terms: new Map(partial) });
      const rest = [...input.terms].filter(([name]) => !isPartial.get(name));
      expect(report.axes).toEqual(reportOf({ ...input, terms: new Map(rest) }).axes);
      const { assessable, reason, keywords } = report.targeting;
      expect([assessable, reason === null]).toEqual([keywords.length > 0, keywords.length > 0]);
      if (isAll && report.targeting.partial) expect([assessable, reason]).toEqual([false, 'partial']);
    }),
  );
});

describe('a draft against its app', () => {
  const audited = (input: AuditInput) => {
    const { report, readiness } = auditListing(input);
    return { scores: axisScoresOf(report), readiness, ranges: scoreRanges(input) };
  };
  const drafted = fc
    .tuple(listing, text(vocabulary, 4), fc.constantFrom('title' as const, 'subtitle' as const))
    .map(([drawn, changed, key]) => {
      const live: Drawn = { ...drawn, hasApp: true };
      return { live: inputOf(live), draft: inputOf(withText(live, key, changed)) };
    });
  const unread = (input: AuditInput, isUnread: (name: string) => boolean): AuditInput => ({
    ...input,
    terms: new Map([...input.terms].filter(([name]) => !isUnread(name))),
  });

  test('has no delta of words while one of its words is unread', () => {
    fc.assert(
      fc.property(drafted, fc.nat(), ({ live, draft }, which) => {
        const words = readListing(draft).aimed.filter((term) => term.words.length === 1);
        const { name } = words[which % words.length] ?? {};
        fc.pre(name !== undefined);
        const unproven = (input: AuditInput): AuditInput => ({
          ...input,
          terms: new Map([...input.terms, [name as string, { ...unmeasured, is_unproven: true as const }]]),
        });
        const app = audited(live);
        for (const one of [unread(draft, (term) => term === name), unproven(draft)].map(audited)) {
          const delta = axisDeltas(one, app);
          expect(delta).toEqual({ global: null, coverage: null, targeting: null, appeal: delta.appeal });
          expect(deltaBounds(delta, one, app)).toBeNull();
        }
      }),
    );
  });

  test('has its deltas while phrases of it are unread, and once they are read, the deltas lie within the bounds', () => {
    fc.assert(
      fc.property(drafted, ({ live, draft }) => {
        const [before, after, app] = [unread(draft, (name) => name.includes(' ')), draft, live].map(
          audited,
        ) as [ReturnType<typeof audited>, ReturnType<typeof audited>, ReturnType<typeof audited>];
        fc.pre([before, app].every(({ readiness }) => readiness.is_shown));
        const [delta, later] = [axisDeltas(before, app), axisDeltas(after, app)];
        const bounds = deltaBounds(delta, before, app);
        for (const key of ['global', 'coverage', 'targeting'] as const) {
          expect([key, delta[key]]).not.toEqual([key, null]);
          const { min, max } = bounds?.[key] ?? { min: delta[key], max: delta[key] };
          expect(later[key]).toBeGreaterThanOrEqual(min ?? Number.NaN);
          expect(later[key]).toBeLessThanOrEqual(max ?? Number.NaN);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { evenlyBetween } from '../../../../../../testing/evenly-between.ts';
import { type AxisDeltas, axisDeltas, type ComparedAudit, deltaBounds, globalOf } from './axis-scores.ts';

const axis = fc.nat(100);

test('the overall score is the geometric mean of the axes', () => {
  expect(globalOf({ coverage: 50, targeting: 50, appeal: 50 })).toBe(50);
  expect(globalOf({ coverage: 100, targeting: 100, appeal: 100 })).toBe(100);
  // (90 * 40 * 70)^(1/3) = 63.16
  expect(globalOf({ coverage: 90, targeting: 40, appeal: 70 })).toBe(63);
});

test('an axis at 0 makes the overall score 0, whatever the others are', () => {
  fc.assert(
    fc.property(axis, axis, (one, other) => {
      expect(globalOf({ coverage: 0, targeting: one, appeal: other })).toBe(0);
      expect(globalOf({ coverage: one, targeting: 0, appeal: other })).toBe(0);
      expect(globalOf({ coverage: one, targeting: other, appeal: 0 })).toBe(0);
    }),
  );
});

test('the overall score lies between the lowest and the highest axis, and a rising axis never lowers it', () => {
  fc.assert(
    fc.property(axis, axis, axis, (coverage, targeting, appeal) => {
      const value = globalOf({ coverage, targeting, appeal });
      expect(value).toBeGreaterThanOrEqual(Math.min(coverage, targeting, appeal));
      expect(value).toBeLessThanOrEqual(Math.max(coverage, targeting, appeal));
      expect(globalOf({ coverage: Math.min(100, coverage + 1), targeting, appeal })).toBeGreaterThanOrEqual(
        value,
      );
    }),
  );
});

describe('a draft against its app', () => {
  const readiness = {
    is_shown: true,
    is_aim_read: true,
    are_words_read: true,
    has_pending_phrases: false,
    unread: [],
    unproven_words: [] as string[],
    has_description: false,
  };
  const side = (
    score: number,
    spread: number | null,
    changes: Partial<typeof readiness> = {},
  ): ComparedAudit => {
    const range = { min: score - (spread ?? 0), max: score + (spread ?? 0) };
    return {
      scores: { global: score, coverage: score, targeting: score, appeal: 50, tier: 2 },
      readiness: { ...readiness, ...changes, has_pending_phrases: spread !== null },
      ranges: spread === null ? null : { global: range, coverage: range, targeting: range },
    };
  };
  const compare = (
    draft: ComparedAudit,
    app: ComparedAudit,
  ): [AxisDeltas, ReturnType<typeof deltaBounds>] => {
    const delta = axisDeltas(draft, app);
    return [delta, deltaBounds(delta, draft, app)];
  };
  const same = <Value>(value: Value) => ({ global: value, coverage: value, targeting: value });

  test('has deltas and their bounds while phrases of the draft, of the app or of both are pending', () => {
    const delta = { ...same(10), appeal: 0 };
    expect(compare(side(60, 3), side(50, null))).toEqual([delta, same({ min: 7, max: 13 })]);
    expect(compare(side(60, null), side(50, 2))).toEqual([delta, same({ min: 8, max: 12 })]);
    expect(compare(side(60, 3), side(50, 2))).toEqual([delta, same({ min: 5, max: 15 })]);
    expect(compare(side(60, null), side(50, null))).toEqual([delta, null]);
  });

  test.each([
    ['draft', side(60, 3, { are_words_read: false }), side(50, 2)],
    ['app', side(60, 3), side(50, 2, { are_words_read: false })],
  ])('has neither while a word of the %s is pending', (_side, draft, app) => {
    expect(compare(draft, app)).toEqual([{ ...same(null), appeal: 0 }, null]);
  });

  test('has neither while a word of one side has an empty page that is not believed yet; both may have it', () => {
    const unproven = { unproven_words: ['title: zzqxjv'] };
    for (const sides of [
      [side(60, 3, unproven), side(50, 2)],
      [side(60, 3), side(50, 2, unproven)],
      [side(60, 3, unproven), side(50, 2, { unproven_words: ['subtitle: zzqxjv'] })],
    ] as const)
      expect(compare(...sides)).toEqual([{ ...same(null), appeal: 0 }, null]);
    expect(compare(side(60, 3, unproven), side(50, 2, unproven))).toEqual(compare(side(60, 3), side(50, 2)));
  });

  test('has those of targeting alone while the long description counts on one side only', () => {
    const [delta, bounds] = compare(side(60, 3, { has_description: true }), side(50, null));
    expect(delta).toMatchObject({ global: null, coverage: null, targeting: 10 });
    expect(bounds).toEqual({ global: null, coverage: null, targeting: { min: 7, max: 13 } });
  });

  test('has a delta within the bounds wherever both scores lie in their ranges', () => {
    const ranged = fc.record({
      score: axis,
      spread: fc.nat(30),
      position: evenlyBetween(-1, 1),
    });
    fc.assert(
      fc.property(ranged, ranged, (draft, app) => {
        const [, bounds] = compare(side(draft.score, draft.spread), side(app.score, app.spread));
        const [drafted, own] = [draft, app].map(
          ({ score, spread, position }) => score + spread * position,
        ) as [number, number];
        for (const range of Object.values(bounds ?? {})) {
          expect(drafted - own).toBeGreaterThanOrEqual((range?.min ?? Number.NaN) - 1e-9);
          expect(drafted - own).toBeLessThanOrEqual((range?.max ?? Number.NaN) + 1e-9);
        }
        expect(Object.keys(bounds ?? {})).toHaveLength(3);
      }),
    );
  });
});

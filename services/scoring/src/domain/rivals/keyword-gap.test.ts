import fc from 'fast-check';
import { gapOn, gapValue } from './keyword-gap.ts';

const app = { appId: 'own', rivalIds: ['one', 'two'] };
const limits = { rivalMaxRank: 10, ownMinRank: 31 };

/** A page with apps at these ranks. */
function pageWith(ranks: Readonly<Record<string, number>>, depth: number, isCut = false) {
  const ids = Array.from({ length: depth }, (_, at) => `other ${at}`);
  for (const [id, rank] of Object.entries(ranks)) ids[rank - 1] = id;
  return { app_ids: ids, is_cut: isCut };
}

test.each([
  [
    'the app is not on the page',
    { one: 3 },
    100,
    false,
    { ownRank: null, rivals: [{ app_id: 'one', rank: 3 }] },
  ],
  [
    'it ranks worse',
    { one: 10, own: 31 },
    100,
    false,
    { ownRank: 31, rivals: [{ app_id: 'one', rank: 10 }] },
  ],
  [
    'the best rival comes first',
    { two: 2, one: 7, own: 60 },
    100,
    false,
    {
      ownRank: 60,
      rivals: [
        { app_id: 'two', rank: 2 },
        { app_id: 'one', rank: 7 },
      ],
    },
  ],
  ['the app ranks better', { one: 3, own: 30 }, 100, false, null],
  ['the rival ranks worse', { one: 11 }, 100, false, 'no_rival'],
  ['the page is not read that deep', { one: 3 }, 20, true, 'too_shallow'],
  ['the store shows no more', { one: 3 }, 20, false, { ownRank: null, rivals: [{ app_id: 'one', rank: 3 }] }],
])('%s', (_, ranks, depth, isCut, expected) => {
  expect(gapOn(pageWith(ranks as Record<string, number>, depth, isCut), app, limits)).toEqual(expected);
});

test('the same as the definition, on any page', () => {
  const page = fc
    .tuple(fc.shuffledSubarray(['own', 'one', 'two', 'a', 'b', 'c', 'd', 'e', 'f']), fc.boolean())
    .map(([ids, isCut]) => ({ app_ids: ids, is_cut: isCut }));
  const rank = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(page, rank, rank, (seen, rivalMaxRank, ownMinRank) => {
      const first = seen.app_ids.slice(0, rivalMaxRank);
      const before = seen.app_ids.slice(0, ownMinRank - 1);
      const isKnown = !seen.is_cut || seen.app_ids.includes('own') || before.length === ownMinRank - 1;
      const found = gapOn(seen, app, { rivalMaxRank, ownMinRank });
      if (!first.includes('one') && !first.includes('two')) expect(found).toBe('no_rival');
      else if (!isKnown) expect(found).toBe('too_shallow');
      else if (before.includes('own')) expect(found).toBeNull();
      else {
        const rivals = first.flatMap((id, at) =>
          app.rivalIds.includes(id) ? [{ app_id: id, rank: at + 1 }] : [],
        );
        expect(found).toEqual({ ownRank: seen.app_ids.indexOf('own') + 1 || null, rivals });
      }
    }),
  );
});

test.each([
  [62.3, 0.5, 31.2],
  [62.3, 0, 0],
  // computed from the published gain
  [50, 0.126, 6.5],
  [null, 0.5, null],
  [62.3, null, null],
])('KEI %p with gain %p is worth %p', (kei, gain, value) => {
  expect(gapValue(kei, gain)).toBe(value);
});

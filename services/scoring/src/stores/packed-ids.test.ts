import fc from 'fast-check';
import { packIds, unpackIds } from './packed-ids.ts';

/** Short ones of few letters, so that many are the beginning, the end or the middle of another one. */
const id = fc.stringMatching(/^[ab1é.]{1,4}$/u);

test('packed ids are found, counted and cut like an array of them', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 12 }), id, fc.nat(14), fc.nat(14), (ids, one, from, to) => {
      const packed = unpackIds(packIds(ids));
      expect(packed.length).toBe(ids.length);
      // Again: as it was remembered.
      for (const wanted of [one, String(ids.length), ...ids])
        for (const _ of [1, 2]) expect(packed.indexOf(wanted)).toBe(ids.indexOf(wanted));
      expect(packed.slice(from, to)).toEqual(ids.slice(from, to));
    }),
  );
});

test('an app of an empty page is not found', () => {
  const packed = unpackIds(packIds([]));
  expect([packed.length, packed.indexOf('0'), packed.slice(0, 20)]).toEqual([0, -1, []]);
});

import { fakeListing } from '../../test/fake-store-fetch.ts';
import { type ListingReading, toListingReading, withKnownValues } from './listing.ts';

const read = (shown: object = {}): ListingReading =>
  toListingReading({
    reading: { read_at: new Date('2026-03-10T09:00:00Z'), source: 'sample' },
    listing: { ...fakeListing('1001'), ...shown },
  });

test.each([
  ['title', null],
  ['description', null],
  ['version', null],
  ['icon', null],
  ['screenshots', []],
  ['updated_at', null],
])('a %s that could not be read keeps its stored value', (field, value) => {
  const stored = read();
  expect(withKnownValues(stored, read({ [field]: value, unreadable: [field] }))).toEqual(stored);
});

test('a rating that could not be read is unknown: that of an earlier day is not that of today', () => {
  const fresh = read({ score: null, ratings: null, unreadable: ['score', 'ratings'] });
  expect(withKnownValues(read(), fresh)).toEqual(fresh);
});

test('a value that the store does not show any more is not kept, and neither is one that was never read', () => {
  expect(withKnownValues(read(), read({ version: null })).version).toBeNull();
  const odd = read({ title: null, unreadable: ['title'] });
  expect(withKnownValues(odd, odd)).toMatchObject({ title: null, unreadable: ['title'] });
});

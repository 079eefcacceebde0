import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { stores } from '@shelfwise/facts/stores/store';
import { buildAuditInput, reportOf } from '../../../test/build-audit-input.ts';
import { listingTerms } from './words/listing-terms.ts';

/** The time of a segmenter grows with the square of the text's length, so each call is bounded. UTF-16 units. */
const maxSegmented = 5_000;

/**
 * Each text is as long as a request may carry. In NFKC one `ligatures` character becomes eighteen, one of `squares`
 * six.
 */
const parts = { ligatures: 'ﷺ', squares: '\u3316', lines: '\n', carriages: '\r', Han: '写', letters: 'a ' };

function hostileInput(part: string, store: (typeof stores)[number]) {
  const text = part.repeat(20_000 / part.length);
  const texts = { title: text, subtitle: text, description: text, kw_field: text };
  return buildAuditInput(store, { texts, developer_name: text, genre: text });
}

let segmented: jest.SpyInstance;
beforeEach(() => {
  segmented = jest.spyOn(Intl.Segmenter.prototype, 'segment');
});
afterEach(() => segmented.mockRestore());

const cases = Object.entries(parts).flatMap(([name, part]) => stores.map((store) => ({ name, part, store })));

test.each(cases)(
  '$name in all texts of a draft for $store are processed in bounded time',
  ({ part, store }) => {
    const input = hostileInput(part, store);
    listingTerms(input);
    reportOf(input);
    const lengths = segmented.mock.calls.map(([text]) => String(text).length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(maxSegmented);
    // The terms are extracted twice; only a description and the developer's name are long.
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(10 * maxSegmented);
  },
);

test.each(stores)('every word of the longest texts that %s accepts is read', (store) => {
  for (const { key, limit, isIndexed } of listingFields[store]) {
    if (!isIndexed) continue;
    const text = `${'… '.repeat(Math.floor((limit - 5) / 40))}${'x '.repeat(limit)}`.slice(0, limit - 5);
    const input = buildAuditInput(store, { texts: { [key]: `${text} last` } });
    expect(listingTerms(input).map(({ keyword }) => keyword)).toContain('last');
  }
});

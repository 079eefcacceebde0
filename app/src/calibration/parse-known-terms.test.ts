import { inputLimits, parseKnownTerms } from './parse-known-terms.ts';

test('terms are read in their normal form; store and language have defaults, other columns are ignored', () => {
  const text =
    '\uFEFFKnown_Value, term ,country,store,lang,note\r\n61," Habit  Tracker",us,,,first\r\n1.5e3,写真,jp,gplay,ja,\n';
  expect(parseKnownTerms(text)).toEqual({
    terms: [
      {
        term: 'habit tracker',
        storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
        knownValue: 61,
      },
      { term: '写真', storefront: { store: 'GPLAY', country: 'JP', lang: 'ja-JP' }, knownValue: 1500 },
    ],
    ignoredColumns: ['note'],
  });
});

test('every bad line is named with its number, in the order of the file', () => {
  const text = [
    'term,country,known_value,store',
    'habit tracker,US,5,ITUNES',
    'x,US,5,ITUNES',
    'mood "journal",US,5,ITUNES',
    'mood,XX,5,ITUNES',
    'mood,US,"1,000",ITUNES',
    'mood,US,,ITUNES',
    'mood,US,1e16,ITUNES',
    'mood,US,5,AMAZON',
    'mood,US,5',
    'HABIT  tracker,us,9,itunes',
  ].join('\n');
  expect(parseKnownTerms(text)).toEqual({
    problems: [
      expect.stringMatching(/^Line 3: term: A keyword has 2 to 100 characters/),
      expect.stringMatching(/^Line 4: the line has a quote inside/),
      'Line 5: country "XX" is not a country of ITUNES.',
      expect.stringMatching(/^Line 6: known_value "1,000" is not a number/),
      'Line 7: known_value is empty.',
      'Line 8: known_value "1e16" is beyond 1000000000000000.',
      'Line 9: store "AMAZON" must be ITUNES or GPLAY.',
      'Line 10: 3 columns, but the header has 4.',
      'Line 11: "habit tracker" is also on line 2.',
    ],
  });
});

test.each([
  ['', /no header line/],
  ['term,country,known_value\n', /no term below/],
  ['term,country\nx,US\n', /^Line 1: the header has no column known_value\.$/],
  ['term;country;known_value\nx;US;1\n', /commas, not by semicolons/],
  ['term,term,country,known_value\n', /the column term twice/],
  [`term,country,known_value\n${'aa,US,1\n'.repeat(inputLimits.terms + 1)}`, /2001 terms; at most 2000/],
])('%#: a file that cannot be used says why', (text, problem) => {
  expect(parseKnownTerms(text)).toEqual({ problems: [expect.stringMatching(problem)] });
});

test('a malformed header is named as such', () => {
  expect(parseKnownTerms('"term,country,known_value\nhabits,US,1\n')).toEqual({
    problems: [
      'Line 1: the line opens a quote that is not closed.',
      expect.stringMatching(/^Line 2: the header has no column/),
    ],
  });
});

test('the same term in two storefronts is two terms', () => {
  const parsed = parseKnownTerms('term,country,known_value\nhabits,US,1\nhabits,GB,2\n');
  expect(parsed).toMatchObject({ terms: [{ knownValue: 1 }, { knownValue: 2 }] });
});

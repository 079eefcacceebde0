import { sayKei } from './say-kei.ts';

test('a KEI has a level, and says what holds it down', () => {
  expect(sayKei({ level: 'good', reason: null })).toBe('KEI: good.');
  expect(sayKei({ level: 'poor', reason: 'unsearched' })).toMatch(
    /^KEI: poor\. It is at most 19\.9: neither /,
  );
});

test('a KEI has no level while it is not known whether people search for the keyword', () => {
  expect(sayKei({ level: 'poor', reason: 'search_unknown' })).toBe(
    'The KEI is at most 19.9 until it is known that people search for this keyword.',
  );
});

import fc from 'fast-check';
import { buildAuditInput } from '../../../../test/build-audit-input.ts';
import { createSaid } from './said.ts';
import { createTermWords } from './term-words.ts';

type Changes = NonNullable<Parameters<typeof buildAuditInput>[1]>;

/** How much an app that describes itself so says about a term. */
function said(
  keyword: string,
  description: string | null,
  changes: Changes = {},
  store: 'ITUNES' | 'GPLAY' = 'ITUNES',
) {
  const input = buildAuditInput(store, { live_description: description, ...changes });
  return createSaid(input, createTermWords('en-US'))(keyword);
}

/** 60 words that are none of those that the tests look for. */
const opening = Array.from({ length: 60 }, (_, at) => `filler${at}`).join(' ');

test('a word among the first 60, or said twice, is said prominently; one that is said later and once, less', () => {
  expect(said('habit', `habit ${opening}`)).toBe(0.5);
  expect(said('habit', `${opening} habit`)).toBe(0.3);
  expect(said('habit', `${opening} habit habit`)).toBe(0.5);
  expect(said('habit', opening)).toBe(0);
});

test('another form of a word says it, too', () => {
  expect(said('habit', 'Habits that last')).toBe(0.5);
  expect(said('habits', `${opening} a habit, and one more habit`)).toBe(0.5);
});

test('all content words of a phrase must be said, in any order; stop words do not count', () => {
  expect(said('habit tracker', 'tracker of every habit')).toBe(0.5);
  expect(said('habit tracker', `habit ${opening} tracker`)).toBe(0.3);
  expect(said('habit tracker', `habit ${opening}`)).toBe(0);
  expect(said('to do list', 'a list')).toBe(0.5);
});

test('common words alone are not said, with another word they are', () => {
  expect(said('free', 'free free free')).toBe(0);
  expect(said('free photo app', 'free photo app')).toBe(0);
  expect(said('free habit', 'free habit')).toBe(0.5);
});

test('an unknown description says nothing, an empty one says that nothing is said', () => {
  expect(said('habit', null)).toBeNull();
  expect(said('habit', '')).toBe(0);
});

test('on Google Play the description is a field of its own: it says nothing about words that only it carries', () => {
  const carried = { texts: { title: 'Habits', subtitle: 'A tracker' } };
  expect(said('habit', 'habit tracker goals', carried, 'GPLAY')).toBe(0.5);
  expect(said('habit tracker', 'habit tracker goals', carried, 'GPLAY')).toBe(0.5);
  expect(said('goals', 'habit tracker goals', carried, 'GPLAY')).toBeNull();
  expect(said('habit goals', 'habit tracker goals', carried, 'GPLAY')).toBeNull();
  expect(said('goals', 'habit tracker goals', carried, 'ITUNES')).toBe(0.5);
});

test('on Google Play a word beyond the limit of the name or the short description is not carried there', () => {
  const long = (limit: number) => `${'x'.repeat(limit - 3)} habit`;
  const saidOnPlay = (changes: Changes) => said('habit', 'habit', changes, 'GPLAY');
  expect(saidOnPlay({ texts: { title: long(30), subtitle: long(80) } })).toBeNull();
  expect(saidOnPlay({ texts: { title: long(24), subtitle: long(80) } })).toBe(0.5);
  expect(saidOnPlay({ texts: { title: long(30), subtitle: long(74) } })).toBe(0.5);
});

test('one more word in the description never lowers what it says', () => {
  const words = fc.array(fc.constantFrom('habit', 'tracker', 'daily', 'free', 'the', 'zebra'), {
    maxLength: 90,
  });
  const term = fc.constantFrom('habit', 'habits', 'daily habit', 'free', 'habit tracker');
  fc.assert(
    fc.property(words, words, term, (before, more, keyword) => {
      const less = said(keyword, before.join(' ')) ?? 0;
      expect(said(keyword, [...before, ...more].join(' '))).toBeGreaterThanOrEqual(less);
    }),
  );
});

import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { readData } from '../../../test/read-data.ts';
import { checkWords } from './check-words.ts';

const titleOf = { ITUNES: listingFields.ITUNES[0], GPLAY: listingFields.GPLAY[0] } as const;

function rulesIn(text: string, store: Store = 'GPLAY'): (string | null | undefined)[] {
  const field = titleOf[store];
  if (!field) throw new Error('a store without fields');
  return checkWords(store, field, text).map(({ rule }) => rule);
}

/** Titles: `refused` by rule and language. */
const { refused, allowed } = readData<{
  refused: Record<string, Record<string, string[]>>;
  allowed: string[];
}>('policy-words.json');

const examples = Object.entries(refused).flatMap(([rule, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([lang, titles]) => titles.map((title) => [title, rule, lang] as const)),
);

test.each(examples)('"%s" breaks the rule %s of Google Play (%s)', (title, rule) => {
  expect(rulesIn(title)).toContain(rule);
});

test.each(allowed)(
  '"%s" breaks no rule: only whole words count, and fixed phrases claim nothing',
  (title) => {
    expect(rulesIn(title)).toEqual([]);
  },
);

test.each([
  ['Free photo editor', 'price'],
  ['Best photo editor', 'ranking'],
  ['Photo editor: try now', 'call-to-action'],
  ['Drawing for kids', 'kids'],
  ['Like Android', 'rival-platform'],
  ['Google Play Remote', 'rival-platform'],
])('on the App Store a reviewer may object to "%s" (%s), in name and subtitle', (text, rule) => {
  for (const field of listingFields.ITUNES.slice(0, 2)) {
    expect(checkWords('ITUNES', field, text)).toMatchObject([{ level: 'warning', rule }]);
  }
  for (const field of listingFields.ITUNES.slice(2)) expect(checkWords('ITUNES', field, text)).toEqual([]);
});

test('each store objects only to the other one’s name', () => {
  expect(rulesIn('Android Widgets')).toEqual([]);
  expect(rulesIn('iPhone Widgets', 'ITUNES')).toEqual([]);
  expect(rulesIn('Editor’s Choice', 'ITUNES')).toEqual([]);
});

test('Google Play refuses words in the name; in the short description they are warnings, in the full one only a rival is', () => {
  const text = 'Best free app of the year for kids on iOS: play now';
  const levels = listingFields.GPLAY.map((field) => [
    field.key,
    Object.fromEntries(checkWords('GPLAY', field, text).map(({ rule, level }) => [rule, level])),
  ]);
  const errors = {
    price: 'error',
    ranking: 'error',
    'play-program': 'error',
    'call-to-action': 'error',
    kids: 'error',
  };
  expect(Object.fromEntries(levels)).toEqual({
    title: { ...errors, 'rival-platform': 'warning' },
    subtitle: Object.fromEntries([...Object.keys(errors), 'rival-platform'].map((rule) => [rule, 'warning'])),
    description: { 'rival-platform': 'warning' },
  });
});

test('each rule gives one warning that quotes the words as written, each once, the longest match', () => {
  const [field] = listingFields.GPLAY;
  if (!field) throw new Error('no field');
  expect(checkWords('GPLAY', field, 'FREE, Ad-Free & free')).toEqual([
    {
      level: 'error',
      rule: 'price',
      message:
        'Google Play refuses words about price or promotions in the App name: "FREE", "Ad-Free". They may stay if they are part of the brand.',
    },
  ]);
});

test('Turkish capitals with and without their dots are the same word, quoted once', () => {
  const [field] = listingFields.ITUNES;
  if (!field) throw new Error('no field');
  const messages = checkWords('ITUNES', field, 'İNDİRİM, INDIRIM, indirim').map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining('in the Name: "İNDİRİM".')]);
});

const claims = ['free', 'no ads', 'best', 'download now', 'for kids', 'iphone', "editor's choice"];
const fillers = ['garden', 'Blume', 'forêt', 'план', 'حديقة'];

test('neither order, letter case nor punctuation changes which rules are broken', () => {
  const arbitrary = fc.shuffledSubarray([...claims, ...fillers], { minLength: 1 });
  fc.assert(
    fc.property(arbitrary, (parts) => {
      const text = parts.join('; ');
      const once = rulesIn(text);
      expect(rulesIn(text.toUpperCase())).toEqual(once);
      expect(rulesIn(parts.toReversed().join(' | '))).toEqual(once);
      expect(once).toHaveLength(
        new Set(parts.filter((part) => claims.includes(part)).flatMap((part) => rulesIn(part))).size,
      );
    }),
  );
});

test('a listed word inside another word never counts', () => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
  const words = ['free', 'best', 'top', 'sale', 'discount', 'ios', 'iphone'];
  // With an ending, some listed words become other listed words.
  const own = new Set(['beste', 'bester', 'bestes', 'besten', 'bestem', 'discounts', 'iphones']);
  fc.assert(
    fc.property(fc.constantFrom(...words), letter, fc.boolean(), (word, added, isBefore) => {
      const longer = isBefore ? added + word : word + added;
      expect(rulesIn(longer)).toHaveLength(own.has(longer) ? 1 : 0);
    }),
  );
});

import * as english from './en.ts';
import { language } from './pseudo.ts';
import * as pseudo from './pseudo-texts.ts';

const names = ['Quibble', 'Vexel', 'Zorb'];
const hebrew = /\p{Script=Hebrew}/u;

/** All texts of a table, by their place in it. Functions are called with names. */
function listTexts(part: unknown, place = 'texts'): [string, string][] {
  if (typeof part === 'string') return [[place, part]];
  if (typeof part === 'function') return [[place, part(...names)]];
  return Object.entries(part as object).flatMap(([key, one]) => listTexts(one, `${place}.${key}`));
}

const isKey = (place: string) => /^texts\.palette\.list\.\d+\.0$/.test(place);
const withoutNames = (text: string) => names.reduce((left, name) => left.replaceAll(name, ''), text);
const lettersOf = (text: string) => withoutNames(text).match(/\p{L}/gu)?.length ?? 0;

const originals = new Map(listTexts(english));
const changed = listTexts(pseudo).filter(([place]) => !isKey(place));

test('the pseudo-language has each text of the table, without a word of English', () => {
  expect(changed.length).toBe([...originals.keys()].filter((place) => !isKey(place)).length);
  for (const [place, text] of changed)
    expect([place, withoutNames(text)]).not.toEqual([place, expect.stringMatching(/[a-z]/i)]);
});

test('its texts are at least 40 % longer, and never twice as long but for short words', () => {
  const most = (letters: number) => Math.max(letters + 3, letters * 2);
  for (const [place, text] of changed) {
    const before = lettersOf(originals.get(place) ?? '');
    expect([place, lettersOf(text) >= before * 1.4, lettersOf(text) <= most(before)]).toEqual([
      place,
      true,
      true,
    ]);
  }
});

test('it names what English names', () => {
  for (const [place, text] of changed)
    for (const name of names)
      expect([place, name, text.includes(name)]).toEqual([place, name, originals.get(place)?.includes(name)]);
});

test('it is written from right to left, with its own days, and an arrow goes with it', () => {
  expect([language.direction, pseudo.becomes]).toEqual(['rtl', '←']);
  expect(new Intl.DateTimeFormat(language.tag, { month: 'short' }).format()).toMatch(hebrew);
});

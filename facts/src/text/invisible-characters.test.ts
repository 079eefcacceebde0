import fc from 'fast-check';
import { findInvisible, withoutInvisible } from './invisible-characters.ts';

test.each([
  ['a zero-width space', 'Ha\u200bbit'],
  ['a byte order mark', '\ufeffHabit'],
  ['a soft hyphen', 'Ha\u00adbit'],
  ['a word joiner', 'Ha\u2060bit'],
  ['marks of direction', '\u200eHab\u200f\u061cit'],
  ['an override of direction', 'Ha\u202ebit\u202c'],
  ['isolates of direction', '\u2066Habit\u2069'],
  ['a joiner in a Latin word', 'Ha\u200dbit'],
  ['a non-joiner in a Latin word', 'Ha\u200cbit'],
  ['a joiner at an end', '\u200dHabit\u200d'],
  ['a Hangul filler', 'Habit\u3164'],
  ['a half-width Hangul filler', 'Habit\uffa0'],
  ['tag characters', 'Habit\u{e0041}\u{e007f}'],
  ['a variation selector', 'Habit\ufe0f'],
  ['an ideographic variation selector', 'Habit\u{e0100}'],
  ['a grapheme joiner', 'Ha\u034fbit'],
  ['invisible operators', 'Ha\u2061\u2062\u2063\u2064bit'],
  ['a Mongolian vowel separator', 'Ha\u180ebit'],
  ['annotation marks', 'Ha\ufff9bit\ufffa\ufffb'],
  ['musical controls', 'Ha\u{1d173}bit'],
  ['control characters', '\0Ha\u0007b\u001bi\u007ft\u009f'],
])('%s is invisible', (_name, text) => {
  expect(withoutInvisible(text)).toBe('Habit');
  expect(findInvisible(text)).toEqual([...new Set(text.replace(/[Habit]/g, ''))]);
});

test.each([
  ['Persian', '\u06a9\u062a\u0627\u0628\u200c\u062e\u0648\u0627\u0646'],
  ['Urdu after a vowel mark', '\u0628\u064e\u200c\u0646'],
  ['Hindi', '\u0915\u094d\u200d\u0937'],
  ['Marathi', '\u0930\u094d\u200d\u092f'],
  ['Bengali before a virama', '\u09b0\u200d\u09cd\u09af'],
  ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['Kannada', '\u0c95\u0ccd\u200c\u0cb7'],
  ['Malayalam at the end of a word', '\u0d05\u0d35\u0d28\u0d4d\u200d'],
  ['Mongolian', '\u1820\u200d\u1821'],
  ['Syriac', '\u0710\u200c\u0712'],
  ['Adlam', '\u{1e900}\u200c\u{1e901}'],
])('a joiner that is spelling stays: %s', (_name, word) => {
  expect(withoutInvisible(word)).toBe(word);
  expect(findInvisible(word)).toEqual([]);
});

test.each([
  ['at the end of a Persian word', '\u06a9\u062a\u0627\u0628\u200c', '\u06a9\u062a\u0627\u0628'],
  ['before a space', '\u06a9\u062a\u0627\u0628\u200c \u062e', '\u06a9\u062a\u0627\u0628 \u062e'],
  ['between two scripts', '\u06a9\u200ca', '\u06a9a'],
  ['between digits', '1\u200d2', '12'],
  ['between Thai letters', '\u0e01\u200d\u0e02', '\u0e01\u0e02'],
  ['between Han characters', '写\u200c真', '写真'],
  ['twice', '\u06a9\u200c\u200c\u062e', '\u06a9\u200c\u062e'],
  ['with another invisible character', '\u06a9\u200b\u200c\u062e', '\u06a9\u200c\u062e'],
])('a joiner that is no spelling goes: %s', (_name, text, clean) => {
  expect(withoutInvisible(text)).toBe(clean);
  expect(findInvisible(text)).not.toEqual([]);
});

test.each(['👨‍👩‍👧', '👩🏽‍🚀', '🏳️‍🌈', '🏴‍☠️', '👩‍❤️‍👨', '👁️‍🗨️', '❤️', '👍🏽', '1️⃣', '#️⃣', '🇸🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '⭐'])(
  'nothing in the emoji %s is invisible',
  (emoji) => {
    expect(withoutInvisible(`my ${emoji} app`)).toBe(`my ${emoji} app`);
    expect(findInvisible(`my${emoji}app`)).toEqual([]);
  },
);

test.each([
  ['⭐\ufe0f', '⭐'],
  ['⚡\ufe0f', '⚡'],
  ['🏳\u200d🌈', '🏳️‍🌈'],
  ['1\u20e3', '1️⃣'],
  ['❤\ufe0e', '❤'],
  ['✌\ufe0f🏽', '✌🏽'],
])('spellings of an emoji that look the same are one: %j', (written, qualified) => {
  expect(withoutInvisible(written)).toBe(qualified);
});

test('a heart in color and a heart in text look different', () => {
  expect(withoutInvisible('❤️')).not.toBe(withoutInvisible('❤'));
});

test.each([
  ['a joiner that joins nothing', '👨\u200d app', ['\u200d']],
  ['a joiner before a letter', '👨\u200dapp', ['\u200d']],
  [
    'tag characters after another emoji',
    '🎧\u{e0068}\u{e0069}\u{e007f}',
    ['\u{e0068}', '\u{e0069}', '\u{e007f}'],
  ],
  ['a flag without its end', '🏴\u{e0067}\u{e0062}', ['\u{e0067}', '\u{e0062}']],
  ['a selector after a digit', '1\ufe0f', ['\ufe0f']],
  ['a second selector', '❤️\ufe0f', ['\ufe0f']],
])('%s is no part of an emoji', (_name, text, found) => {
  expect(findInvisible(text)).toEqual(found);
});

test('white space and what is visible stay', () => {
  const text = 'Café\t写真\r\n\u00a0\u3000\u2003한글 ﷺ C++ №1 \ud83c! \u2028';
  expect(withoutInvisible(text)).toBe(text);
  expect(findInvisible(text)).toEqual([]);
});

const parts = fc.constantFrom(
  ...'a \u200b\u200c\u200d\ufe0f\ufe0e\u06a9\u064e\u0915\u094d👨❤1\u20e3🏴🏽\u{e0067}\u{e007f}\u0007\ufeff',
);

test('a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (characters) => {
      const once = withoutInvisible(characters.join(''));
      expect(withoutInvisible(once)).toBe(once);
      expect(findInvisible(once)).toEqual([]);
    }),
    { numRuns: 2_000, examples: [[['❤', '\ufe0f', '\u0007', '🏽']]] },
  );
});

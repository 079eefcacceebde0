import { findEmoji, findEmoticons, findRepeatedSigns, findSymbols } from './find-signs.ts';

test.each([
  ['Music 🎧', ['🎧']],
  ['Flags 🇸🇪🇯🇵', ['🇸🇪', '🇯🇵']],
  ['Keys 1️⃣ #️⃣', ['1️⃣', '#️⃣']],
  ['Love ❤️ and ❤', ['❤️', '❤']],
  ['☀ ✔ ♥', ['☀', '✔', '♥']],
  ['🎧🎧', ['🎧']],
])('finds the emoji of "%s"', (text, emoji) => expect(findEmoji('GPLAY', text)).toEqual(emoji));

test.each([
  ['Family 👨‍👩‍👧 👩🏽‍🚀', ['👨‍👩‍👧', '👩🏽‍🚀']],
  ['Thumbs 👍🏽 🏽', ['👍🏽', '🏽']],
  ['Flags 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏳️‍🌈', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈']],
  ['Music 🎧', ['🎧']],
  ['Love ❤️ ⭐ ⚡ ✅', ['❤️', '⭐', '⚡', '✅']],
  ['Keys 1️⃣ #⃣ ⌨️ 🖥', ['1️⃣', '#⃣', '⌨️', '🖥']],
  ['Newer \u{1faf9}\u{1fadc}', ['\u{1faf9}', '\u{1fadc}']],
])('finds the emoji of "%s", for both stores', (text, emoji) => {
  expect(findEmoji('GPLAY', text)).toEqual(emoji);
  expect(findEmoji('ITUNES', text)).toEqual(emoji);
});

test('older symbols without color are symbols to the App Store', () => {
  expect(findEmoji('ITUNES', '☀ ✔ ♥ ❤ ▶')).toEqual([]);
  expect(findSymbols('☀ ✔ ♥ ❤ ▶')).toEqual(['☀', '✔', '♥', '❤', '▶']);
});

test.each([
  ['⌘ Keys ♫', ['⌘', '♫']],
  ['■ ● ★ ✓ │ ℠ ㈱ ㎡ ℃', ['■', '●', '★', '✓', '│', '℠', '㈱', '㎡', '℃']],
  ['⭐\ufe0e', ['⭐']],
  ['🇸 alone', ['🇸']],
  ['Music 🎧 ❤️', []],
  ['™ ® © ° №', []],
  ['→ ∞ ± $ € ^ ` ½ ¼ • · … – “”', []],
  ['\u2800', []],
])('finds the symbols of "%s"', (text, symbols) => expect(findSymbols(text)).toEqual(symbols));

test.each(['Sudoku 2048 #1 *', 'Brand™ © ®', 'A ↔ B', 'Stars ★', 'Text ☀︎', 'ﬂag', '日本語', '½ °'])(
  '"%s" has no emoji: digits, marks and plain signs are text',
  (text) => expect(findEmoji('GPLAY', text)).toEqual([]),
);

test.each([
  ...[':-)', ';)', ':(', ':D', ':-P', '^_^', '^^', '<3', 'T_T', 'o_O', '-_-', '¯\\_(ツ)_/¯', '=)'],
  ...['(:', '(-:', '(;', ':]', ':-}', ':^)', ':-*', '</3', '>.<', '：）', '；）', '：('],
])('%s is an emoticon', (emoticon) => {
  expect(findEmoticons(emoticon)).toEqual([emoticon]);
  expect(findEmoticons(`Chess ${emoticon}`)).toEqual([emoticon]);
});

test.each([
  'Note: (beta)',
  'Note:(beta)',
  '3:Dive',
  'https://a.example',
  'Ratio 16:9',
  'f(x)=(x)',
  'A: D',
  'under <30',
  'Mode：（夜）',
  'Notes (beta:)',
  'Sync (see settings;)',
  'Prices:( monthly )',
  'a (b (c) d:) e',
  'pipes =| here',
  '(: see below :)',
  'see (:) and [:] and {;}',
  '[Note:] {name:}',
  '（注：）と（参照； ）',
  '<b>A</b>.<br/>.</b>',
  '**Note:** 1:* 2;* a:-*b',
  '1-) One 8-) Eight B-) Two',
])('"%s" has no emoticon', (text) => expect(findEmoticons(text)).toEqual([]));

test.each([
  ['Wow!!', ['!!']],
  ['What???', ['???']],
  ['★★ Stars', ['★★']],
  ['★ ★ ★', ['★ ★ ★']],
  ['Cash $$', ['$$']],
  ['---', ['---']],
  ['Loading....', ['....']],
  ['Wait... what.....', ['.....']],
  ['A . . . B', ['. . .']],
  ['………', ['………']],
])('"%s" repeats special characters', (text, runs) => expect(findRepeatedSigns(text)).toEqual(runs));

test.each([
  'C++ & C#',
  'Notepad++',
  'What?!',
  'Wait... what? Trivia',
  'Loading…',
  '我……',
  'One - Two -',
  'A.B.C',
  "Rock 'n' Roll",
  'Balloon',
  '1000',
  'Stars ★',
])('"%s" repeats no special characters', (text) => expect(findRepeatedSigns(text)).toEqual([]));

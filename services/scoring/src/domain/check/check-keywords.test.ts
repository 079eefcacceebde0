import { checkKeywords } from './check-keywords.ts';
import { readKeywords } from './read-keywords.ts';

function warningsOn(field: string, names: { title?: string; subtitle?: string } = {}, lang = 'en') {
  const { title = null, subtitle = null } = names;
  const warnings = checkKeywords(field, readKeywords(field, lang), { title, subtitle }, lang);
  return warnings.map(({ level, message }) => [level, message]);
}

test('a clean field has no warning', () => {
  expect(warningsOn('habit,routine,planner', { title: 'Notes', subtitle: 'Daily journal' })).toEqual([]);
});

test.each([
  ['habit, routine', 'warning', '1 unneeded space: separate keywords by a comma alone.'],
  ['habit,,routine', 'warning', 'A comma that does not separate two keywords wastes a character.'],
  ['habit,', 'warning', 'A comma that does not separate two keywords wastes a character.'],
  [',habit', 'warning', 'A comma that does not separate two keywords wastes a character.'],
  ['写真、編集', 'warning', 'Separate keywords by a plain comma (,), not by "、" or "،".'],
  ['صور،فيديو', 'warning', 'Separate keywords by a plain comma (,), not by "、" or "،".'],
  ['habit;routine', 'warning', 'Only commas separate keywords, not semicolons, bars or line breaks.'],
  ['habit,habit', 'warning', 'Repeated, at the cost of 6 characters: "habit".'],
  ['habit,HABIT', 'warning', 'Repeated, at the cost of 6 characters: "habit".'],
  ['habit,ｘ', 'warning', 'Single characters are not searched for: "ｘ".'],
  ['habit,x', 'warning', 'Single characters are not searched for: "x".'],
  ['habit,app', 'warning', 'The store finds every app by these words anyway: "app".'],
  ['habit,アプリ', 'warning', 'The store finds every app by these words anyway: "アプリ".'],
  ['habit,Games', 'info', 'Apps are found by the name of their category anyway: "Games".'],
  ['habit maker', 'info', 'The words of a phrase gain as much when commas separate them: "habit maker".'],
])('%j: %s, %s', (field, level, message) => expect(warningsOn(field)).toEqual([[level, message]]));

test('the Chinese comma separates keywords as the plain one does', () => {
  expect(warningsOn('写真，編集')).toEqual([]);
});

test('a Turkish word is the same in capitals, and quoted once, as it is written first', () => {
  expect(warningsOn('IŞIK,ışık', { title: 'Işık' }, 'tr')).toEqual([
    ['warning', 'Repeated, at the cost of 5 characters: "IŞIK".'],
    ['warning', 'Already in the Name or the Subtitle: "IŞIK".'],
  ]);
  expect(warningsOn('PIN,pin', {}, 'tr')).toEqual([]);
});

test('more than 100 bytes within 100 characters is a warning', () => {
  const message = 'The Keywords field has 102 bytes in UTF-8; the App Store may refuse more than 100.';
  expect(warningsOn('写'.repeat(34))).toEqual([['warning', message]]);
  expect(warningsOn('写'.repeat(33))).toEqual([]);
  expect(warningsOn('a'.repeat(101))).toEqual([]);
});

test.each([
  ['photo,maker', { title: 'Photo Editor' }, '"photo"'],
  ['photo,maker', { subtitle: 'Edit a PHOTO' }, '"photo"'],
  ['photo maker,editor', { title: 'Photo', subtitle: 'Editor' }, '"photo", "editor"'],
  ['編集,加工', { title: '写真編集アプリ' }, '"編集"'],
  ['wi-fi,radio', { title: 'Wi-Fi Finder' }, '"wi-fi"'],
])('in keywords %j with %j, %s is already used', (field, names, words) => {
  expect(warningsOn(field, names)).toContainEqual([
    'warning',
    `Already in the Name or the Subtitle: ${words}.`,
  ]);
});

test.each([
  ['photo', { title: 'Photography' }],
  ['集写', { title: '写真編集' }],
  ['photo', {}],
  ['&', { title: 'Rock & Roll' }],
])('in keywords %j with %j, nothing is already used', (field, names) => {
  expect(warningsOn(field, names).filter(([, message]) => message?.includes('already'))).toEqual([]);
});

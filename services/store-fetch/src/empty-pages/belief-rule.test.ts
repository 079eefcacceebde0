import { addLook, areEnoughLooks, compareSize, lookStillValid, needsSuggestion } from './belief-rule.ts';

const at = (text: string) => new Date(`2026-03-${text}Z`);
const looks = (...texts: string[]) => texts.map(at);
const oneDay = ['10T09:00', '10T12:00', '10T15:00'];
const twoDays = ['10T09:00', '10T12:00', '11T09:00'];

test.each([
  ['not suggested, last page empty', { lastSize: 0, isSuggested: false }, 1, true],
  ['not suggested, no last page', { lastSize: null, isSuggested: false }, 1, false],
  ['not suggested, no last page', { lastSize: null, isSuggested: false }, 2, true],
  ['not suggested, had results', { lastSize: 7, isSuggested: false }, 2, false],
  ['suggested, last page empty', { lastSize: 0, isSuggested: true }, 2, false],
  ['suggested, no last page', { lastSize: null, isSuggested: true }, 2, false],
  ['perhaps suggested, last page empty', { lastSize: 0, isSuggested: null }, 2, false],
])('a term that is %s is believed to be empty: %j after %i looks: %s', (_, known, count, expected) => {
  expect(areEnoughLooks(looks(...twoDays).slice(0, count), known)).toBe(expected);
});

test.each([
  ['had results', { lastSize: 7, isSuggested: false }],
  ['is suggested', { lastSize: 0, isSuggested: true }],
  ['may be suggested', { lastSize: null, isSuggested: null }],
])('a term that %s needs three looks on two days', (_, known) => {
  expect(areEnoughLooks(looks(...oneDay), known)).toBe(false);
  expect(areEnoughLooks(looks(...twoDays), known)).toBe(true);
});

test('whether it is suggested is asked only when the answer depends on it', () => {
  expect(needsSuggestion([], { lastSize: 0 })).toBe(false);
  expect(needsSuggestion(looks(...oneDay), { lastSize: 7 })).toBe(false);
  expect(needsSuggestion(looks('10T09:00'), { lastSize: null })).toBe(false);
  expect(needsSuggestion(looks('10T09:00'), { lastSize: 0 })).toBe(true);
  expect(needsSuggestion(looks(...oneDay), { lastSize: null })).toBe(true);
  expect(needsSuggestion(looks(...twoDays), { lastSize: null })).toBe(false);
});

test('looks less than ten minutes apart are one, and the last three are kept', () => {
  const first = addLook([], at('10T09:00'));
  expect(addLook(first, at('10T09:09'))).toEqual(first);
  expect(addLook(first, at('10T09:10'))).toHaveLength(2);
  expect(addLook(looks(...oneDay), at('11T09:00'))).toEqual(looks('10T12:00', '10T15:00', '11T09:00'));
});

test('looks from before a sign, and after three days, do not count', () => {
  const all = looks(...twoDays);
  expect(lookStillValid(all, at('11T10:00'), null)).toEqual(all);
  expect(lookStillValid(all, at('11T10:00'), at('10T12:00'))).toEqual(looks('11T09:00'));
  expect(lookStillValid(all, at('13T12:00'), null)).toEqual(looks('11T09:00'));
});

describe('a page that shrinks by two thirds', () => {
  const known = (lastSize: number | null, shrunkOn: string | null = null) => ({ lastSize, shrunkOn });

  test.each([
    [99, 33, true],
    [99, 34, false],
    [10, 3, true],
    [9, 1, false],
    [null, 1, false],
  ])('from %j to %i results: %s', (before, after, hasShrunk) => {
    expect(compareSize(known(before), after, '2026-03-10').hasShrunk).toBe(hasShrunk);
  });

  test('is compared with its former size until the day is over, and is then its usual size', () => {
    const shrunk = compareSize(known(90), 20, '2026-03-10');
    expect(shrunk).toEqual({ lastSize: 90, shrunkOn: '2026-03-10', hasShrunk: true });
    expect(compareSize(shrunk, 20, '2026-03-10').hasShrunk).toBe(true);
    expect(compareSize(shrunk, 88, '2026-03-10')).toEqual({ ...known(88), hasShrunk: false });
    expect(compareSize(shrunk, 20, '2026-03-11')).toEqual({ ...known(20), hasShrunk: false });
  });
});

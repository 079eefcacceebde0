import { hideAddress } from './hide-address.ts';

const slack = 'https://hooks.slack.com/services/T0A1B2C3D/B0E4F5G6H/aBcDeFgHiJkLmNoPqRsTuVwX';

test.each([
  ['an answer without it', 'no_service', 'no_service'],
  ['the path', 'Cannot POST /services/T0A1B2C3D/B0E4F5G6H/aBcDeFgHiJkLmNoPqRsTuVwX', 'Cannot POST [cut]'],
  ['a part of it', '{"token":"aBcDeFgHiJkLmNoPqRsTuVwX","team":"T0A1"}', '{"token":"[cut]","team":"T0A1"}'],
  [
    'slashes with a backslash',
    String.raw`"\/services\/T0A1B2C3D\/B0E4F5G6H\/aBcDeFgHiJkLmNoPqRsTuVwX"`,
    String.raw`"\/[cut]\/[cut]\/[cut]\/[cut]"`,
  ],
])('%s', (_name, answer, shown) => {
  expect(hideAddress(answer, slack, true)).toBe(shown);
});

test('where the end of an answer is missing, a part of the address is cut that is incomplete', () => {
  for (const [answer, shown] of [
    ['not found: /services/T0A1B2C3D/B0E4', 'not found: [cut]'],
    ['unknown token aBcDeFgHi', 'unknown token [cut]'],
    ['unknown token aBcDeFgHiJkLmNoPqRsTuVwX', 'unknown token [cut]'],
    ['unknown token', 'unknown token'],
  ] as const)
    expect(hideAddress(answer, slack, false)).toBe(shown);
});

test('a token behind a colon is hidden', () => {
  const url = 'https://api.example.org/bot123456:AAEhBOweik6ad9r/sendMessage';
  expect(hideAddress('unknown AAEhBOweik6ad9r', url, true)).toBe('unknown [cut]');
});

test('values of the query are hidden, also as they are decoded; short words stay', () => {
  const url = 'https://example.com/v1/hook?key=s%C3%BC%C3%9Fer-token&to=ann';
  for (const answer of ['key s%C3%BC%C3%9Fer-token of ann', 'key süßer-token of ann'])
    expect(hideAddress(answer, url, true)).toBe('key [cut] of ann');
  expect(hideAddress('v1/hook: no', url, true)).toBe('v1/hook: no');
});

test('an address with an incomplete escape is hidden as it is written', () => {
  expect(hideAddress('no /100%-secret here', 'https://example.com/100%-secret', true)).toBe('no [cut] here');
});

test('an address without a path hides nothing', () => {
  expect(hideAddress('/ is not here', 'https://example.com', true)).toBe('/ is not here');
});

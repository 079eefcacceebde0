import { containsKey, redactKeys } from './redact-keys.ts';

const secret = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG';

test.each([
  `sw_live_${secret}`,
  `SW_LIVE_${secret}`,
  `Sw_LiVe_${secret.toLowerCase()}`,
  `%73w_live_${secret}`,
  `sw%5flive%5F${secret}`,
  `%2573w%255Flive_${secret}`,
  `%2525252573w_live_${secret}`,
  `%%37%33w_live_${secret}`,
  `sw_live_%2e${secret}`,
  `sw_live_${secret.replace('A', '%41')}`,
  'sw_live_',
])('%s is replaced, and nothing of it stays', (key) => {
  const redacted = redactKeys(`GET /a/${key}/b?x="${key}" ${key}`);
  expect(redacted).not.toMatch(/sw_live_|live_/i);
  expect(redacted.toLowerCase()).not.toContain(secret.toLowerCase().slice(1, 12));
  expect(redacted).toBe('GET /a/[API key]/b?x="[API key]" [API key]');
  expect(containsKey(key)).toBe(true);
});

test.each(['', '100%', '%2', '%zz', 'caf%C3%A9 %73w', 'swlive', 'sw live', '/api/v1/rows?q=a%20b'])(
  'a text without a key stays as it is: "%s"',
  (text) => {
    expect(redactKeys(text)).toBe(text);
    expect(containsKey(text)).toBe(false);
  },
);

test.each([
  [`sw_link_${secret}`, '[sign-in code]'],
  [`SW_Session_${secret}`, '[session]'],
  [`sw_share_${secret}`, '[share link]'],
  [`sw_code_${secret}`, '[authorization code]'],
  [`sw_access_${secret}`, '[access token]'],
  [`sw_refresh_${secret}_${secret}`, '[refresh token]'],
  [`sw_call_${secret}`, '[credential of a call]'],
  [`sw_mail_7-${secret}`, '[link of a mail]'],
  [`%73w_link%5F${secret}`, '[sign-in code]'],
])('%s is replaced by what it is', (text, shown) => {
  expect(redactKeys(`a "${text}" #${text}`)).toBe(`a "${shown}" #${shown}`);
  expect(containsKey(text)).toBe(true);
});

test('JSON stays JSON', () => {
  const text = JSON.stringify({
    a: `sw_live_${secret}`,
    SW_LIVE_x: [`a "sw_live_${secret}" %22b`, 'sw_live_\n'],
  });
  expect(JSON.parse(redactKeys(text))).toEqual({
    a: '[API key]',
    '[API key]': ['a "[API key]" %22b', '[API key]\n'],
  });
});

import { explainRedirect, matchesRedirect, redirectHostOf, withParameters } from './redirect-uri.ts';

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://assistant.example:8443/callback?fixed=1',
  'http://127.0.0.1:33418/callback',
  'http://localhost/callback',
  'http://[::1]:1234/',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'com.example.app:/callback',
])('%s can be registered', (uri) => {
  expect(explainRedirect(uri)).toBeNull();
});

test.each([
  'http://assistant.example/callback',
  'http://127.0.0.1.evil.example/',
  'https://user:secret@assistant.example/',
  'https://@assistant.example/',
  'https://assistant.example/#fragment',
  'https://assistant.example/ callback',
  'https://assistant.example\\callback',
  'https://assistant.example/\u200b',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ms-msdt:/id',
  'ws://assistant.example',
  '/callback',
  '',
  `https://assistant.example/${'x'.repeat(2000)}`,
])('%s cannot', (uri) => {
  expect(explainRedirect(uri)).not.toBeNull();
});

test('parameters are added to what the address has, which stays as it is written', () => {
  const added = { code: 'a b', state: null, iss: 'https://aso.example' };
  expect(withParameters('https://a.example/cb?x=%20', added)).toBe(
    'https://a.example/cb?x=%20&code=a+b&iss=https%3A%2F%2Faso.example',
  );
  expect(withParameters('cursor://anysphere/callback', added)).toMatch(
    /^cursor:\/\/anysphere\/callback\?code=/,
  );
});

test('people see the host, or the scheme of a program', () => {
  expect(redirectHostOf('https://claude.ai/api')).toBe('claude.ai');
  expect(redirectHostOf('http://127.0.0.1:33418/callback')).toBe('127.0.0.1:33418');
  expect(redirectHostOf('cursor://anysphere/callback')).toBe('cursor:');
});

test('only the port of the machine of the user may differ', () => {
  expect(matchesRedirect('http://localhost:1/cb', 'http://localhost/cb')).toBe(true);
  expect(matchesRedirect('http://localhost:1/cb?a', 'http://localhost/cb')).toBe(false);
  expect(matchesRedirect('https://a.example:1/cb', 'https://a.example/cb')).toBe(false);
  expect(matchesRedirect('http://localhost:99999/cb', 'http://localhost/cb')).toBe(false);
});

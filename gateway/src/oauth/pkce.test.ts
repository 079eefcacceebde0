import { isVerified } from './pkce.ts';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('the verifier of the example in the RFC is that of its challenge', () => {
  expect(isVerified(verifier, challenge)).toBe(true);
});

test.each([
  ['', challenge],
  [verifier.slice(1), challenge],
  [`${verifier}=`, challenge],
  [challenge, challenge],
  [verifier, verifier],
  [verifier, ''],
  ['x'.repeat(129), challenge],
])('%s is not that of %s', (wrong, of) => {
  expect(isVerified(wrong, of)).toBe(false);
});

import { createHash, timingSafeEqual } from 'node:crypto';

/** RFC 7636: a SHA-256 in base64url. */
export const challengePattern = /^[A-Za-z0-9_-]{43}$/;
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

/** Whether the verifier is the one of the challenge, by S256. There is no other method: `plain` would send the secret itself. */
export function isVerified(verifier: string, challenge: string): boolean {
  if (!verifierPattern.test(verifier) || !challengePattern.test(challenge)) return false;
  const computed = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge));
}

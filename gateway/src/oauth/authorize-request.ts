import type { OAuthClient } from './client-store.ts';
import { invalidScope, invalidTarget, OAuthError } from './oauth-error.ts';
import { challengePattern } from './pkce.ts';
import { matchesRedirect, withParameters } from './redirect-uri.ts';
import { asksToWrite, parseScopes, type Scope } from './scopes.ts';

/**
 * What a client asks an account for. `client` null: there is no such client, or it may not be sent back to this address. Then
 * nothing is sent to it. With `problem` the client is told why it gets no code, once a person goes back to it.
 */
export type AuthorizeRequest =
  | { client: null; message: string }
  | { client: OAuthClient; redirectUri: string; state: string | null; problem: OAuthError }
  | {
      client: OAuthClient;
      redirectUri: string;
      state: string | null;
      problem: null;
      codeChallenge: string;
      resource: string;
      /** what it may be given */
      scopes: Scope[];
      /** Whether it names `write`: without it the person has to choose it. */
      asksToWrite: boolean;
    };

/** Longer than those that assistants sign. */
const maxStateLength = 4096;

type FindClient = (id: string) => Promise<OAuthClient | { message: string }>;

/**
 * Checks a request of RFC 6749, 4.1.1.
 * @param query as the browser has it in the address, without the question mark
 */
export async function readAuthorizeRequest(
  query: string,
  deps: { findClient: FindClient; resource: string },
): Promise<AuthorizeRequest> {
  const sent = new URLSearchParams(query);
  const repeated = findRepeated(sent);
  // The client and the server may each take another one of the values.
  for (const name of ['client_id', 'redirect_uri'])
    if (repeated.has(name)) return { client: null, message: `The address names ${name} twice.` };
  const id = sent.get('client_id');
  if (id === null) return { client: null, message: 'The address does not name a client_id.' };
  const client = await deps.findClient(id);
  if ('message' in client) return { client: null, message: client.message };
  const redirectUri = sent.get('redirect_uri') ?? findDefaultRedirect(client);
  if (redirectUri === null) return { client: null, message: 'The address does not name a redirect_uri.' };
  if (!client.redirectUris.some((registered) => matchesRedirect(redirectUri, registered)))
    return { client: null, message: notRegistered };
  const state = sent.get('state');
  const request = { client, redirectUri, state };
  try {
    if (repeated.size > 0) throw invalid('A parameter is sent twice.');
    return { ...request, problem: null, ...readParameters(sent, deps.resource) };
  } catch (problem) {
    if (!(problem instanceof OAuthError)) throw problem;
    return { ...request, problem };
  }
}

function findRepeated(sent: URLSearchParams): ReadonlySet<string> {
  const once = new Set<string>();
  const repeated = new Set<string>();
  for (const name of sent.keys()) (once.has(name) ? repeated : once).add(name);
  return repeated;
}

const notRegistered = 'The assistant asks to be sent to an address that it has not registered.';

/**
 * Where a client is sent back to that names no address. A document may change after the page has shown an address: then the person
 * would allow another one.
 */
function findDefaultRedirect({ isDocument, redirectUris: [uri, ...others] }: OAuthClient): string | null {
  return isDocument || others.length > 0 ? null : (uri ?? null);
}

/** @throws OAuthError */
function readParameters(sent: URLSearchParams, resource: string) {
  if (sent.get('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  if ((sent.get('state') ?? '').length > maxStateLength)
    throw invalid(`state has more than ${maxStateLength} characters.`);
  const codeChallenge = sent.get('code_challenge') ?? '';
  if (sent.get('code_challenge_method') !== 'S256' || !challengePattern.test(codeChallenge))
    throw invalid('PKCE is required: code_challenge, with the code_challenge_method S256.');
  const wanted = sent.get('resource');
  if (wanted !== null && !isSameResource(wanted, resource)) throw invalidTarget();
  const scope = sent.get('scope');
  const scopes = parseScopes(scope);
  if (scopes === null) throw invalidScope();
  return { codeChallenge, resource, scopes, asksToWrite: asksToWrite(scope) };
}

/** Clients write the address with or without a slash at its end. */
export function isSameResource(sent: string, resource: string): boolean {
  return sent.replace(/\/$/, '') === resource;
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_request', message);
}

/** Where the browser goes with the answer. `iss` lets a client of several servers know whose answer it is (RFC 9207). */
export function answerTo(
  { redirectUri, state }: { redirectUri: string; state: string | null },
  answer: { code: string } | { problem: OAuthError },
  issuer: string,
): string {
  const result =
    'code' in answer
      ? { code: answer.code }
      : { error: answer.problem.code, error_description: answer.problem.message };
  return withParameters(redirectUri, { ...result, state, iss: issuer });
}

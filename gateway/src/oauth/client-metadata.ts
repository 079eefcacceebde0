import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';
import { z } from 'zod';
import { OAuthError } from './oauth-error.ts';
import { explainRedirect } from './redirect-uri.ts';

/** What a client says about itself, in a registration or in its document. */
export type ClientMetadata = { name: string; redirectUris: string[] };

const maxNameLength = 80;
const maxRedirects = 10;
/** No name: people see where they are sent. */
const unnamed = 'An assistant';

/** Other fields are ignored, as RFC 7591 wants it. Null counts as absent, because some clients write their empty fields. */
const fields = z.object({
  client_name: z.string().nullish(),
  redirect_uris: z.array(z.string()).min(1).max(maxRedirects),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
});

/** @throws OAuthError with the first problem */
export function parseClientMetadata(body: unknown): ClientMetadata {
  const parsed = fields.safeParse(body);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'the body');
    if (field !== 'redirect_uris') throw invalid(`${field} is not what RFC 7591 says.`);
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${maxRedirects} URLs.`,
    );
  }
  const { client_name: name, redirect_uris: redirectUris, ...types } = parsed.data;
  for (const uri of redirectUris) {
    const problem = explainRedirect(uri);
    if (problem) throw new OAuthError('invalid_redirect_uri', `A redirect URI ${problem}.`);
  }
  if (types.grant_types && !types.grant_types.includes('authorization_code'))
    throw invalid('grant_types must include authorization_code.');
  if (types.response_types && !types.response_types.includes('code'))
    throw invalid('response_types must include code.');
  return { name: toShownName(name ?? ''), redirectUris: [...new Set(redirectUris)] };
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message);
}

/** Characters that change the order of a text could make a name read as another one. */
const bidirectional = /\p{Bidi_Control}/gu;

/** In one line. Any client can call itself anything: the page says so, and shows the host. */
function toShownName(name: string): string {
  const plain = withoutInvisible(name).replaceAll(bidirectional, '').replaceAll(/\s+/g, ' ').trim();
  return [...plain].slice(0, maxNameLength).join('') || unnamed;
}

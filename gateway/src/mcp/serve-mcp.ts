import type { RequestHandler } from 'express';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { readKey } from '../middleware/authenticate.ts';
import { getRequestContext, requireFromContext } from '../middleware/request-context.ts';
import { toMetadataUrl } from '../oauth/accept-access-token.ts';
import type { AccessToken } from '../oauth/access-tokens.ts';
import type { OAuth } from '../oauth/create-oauth.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';

/** The messages that lead to a call of the API. */
const callingMethods = ['tools/call', 'resources/read'];
/** Sent in place of a key for messages that lead to no call of the API. It is never accepted. */
const noCredential = 'sw_call_none';

/** Answers a request of the assistants' protocol. Its key or token and its plan are valid, and its body has been read. */
export function serveMcp(
  endpoint: McpEndpoint,
  oauth: Pick<OAuth, 'issuer' | 'calls'> | undefined,
): RequestHandler {
  /** A token is not handed on: the assistant server gets a credential for the one call of this message. */
  async function credentialFor(token: AccessToken, body: unknown, requestId: string): Promise<string> {
    const { method } = (body ?? {}) as { method?: unknown };
    if (!oauth || !callingMethods.includes(String(method))) return noCredential;
    return mapDatabaseError(oauth.calls.create(token, requestId));
  }

  return async (request, response) => {
    // The caller is gone: its response will not be closed again.
    if (response.closed) return;
    // The steps before this one and the stream of the answer each wait for its end: more than Node thinks usual.
    response.setMaxListeners(30);
    const { requestId, span, accessToken } = getRequestContext(response);
    const { account } = requireFromContext(response, 'caller');
    const { headers, body } = request;
    const key = accessToken ? await credentialFor(accessToken, body, requestId) : (readKey(request) ?? '');
    headers['x-api-key'] = key;
    headers['x-request-id'] = requestId;
    headers['x-forwarded-for'] = request.ip ?? '';
    // These are never a client's own.
    headers['x-shelfwise-account'] = account.id;
    delete headers['x-shelfwise-scope'];
    delete headers['x-shelfwise-resource-metadata'];
    if (accessToken && oauth) {
      headers['x-shelfwise-scope'] = accessToken.scopes.join(' ');
      headers['x-shelfwise-resource-metadata'] = toMetadataUrl(oauth.issuer());
    }
    if (span) headers.traceparent = span.traceparent;
    else delete headers.traceparent;
    await endpoint.serve(request, response, { key, body });
  };
}

import { CallError } from '@shelfwise/runtime/outgoing/explain-failure';
import { getOnce } from '@shelfwise/runtime/outgoing/post';
import { TargetError } from '@shelfwise/runtime/outgoing/target';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consume } from '../limits/address-limiter.ts';
import { parseClientMetadata } from './client-metadata.ts';
import type { OAuthClient } from './client-store.ts';
import { OAuthError } from './oauth-error.ts';

/** Reads the text at an address that a stranger has named. @throws TargetError, CallError */
export type GetDocument = (url: string) => Promise<{ status: number; answer: string }>;

const answerBytes = 10_000;
const timeoutMs = 5000;
/** Documents that one account may have read in a minute: only a page of another site needs more. */
const perMinute = 20;

/** Never a private address, whatever receivers of alerts may have: anyone can name an address here. */
const getPublicDocument: GetDocument = (url) =>
  getOnce({
    url,
    headers: { accept: 'application/json' },
    timeoutMs,
    answerBytes,
    options: { allowPrivate: false },
  });

/** Whether the id of a client is meant as the address of its document. */
export function isDocumentId(id: string): boolean {
  return id.startsWith('https://');
}

/**
 * Clients whose id is the address of their metadata (client id metadata documents). The host in the address is the only thing about
 * a client that is proven. Nothing is kept: a document is read for each look at the consent page, and when it is answered.
 */
export function createClientDocuments({ get = getPublicDocument }: { get?: GetDocument | undefined } = {}) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });

  return {
    /** @param accountId of the person who is signed in: strangers have nothing read */
    async read(id: string, accountId: string): Promise<OAuthClient | { message: string }> {
      // The form of an id, so that one client has one: a path, and no parts that could be written otherwise.
      if (!URL.canParse(id) || new URL(id).href !== id || new URL(id).pathname === '/')
        return { message: 'The client_id is not the address of a document.' };
      if ((await consume(limiter, accountId)) !== null)
        return { message: 'Too many assistants are looked up for this account. Try again in a minute.' };
      try {
        const { status, answer } = await get(id);
        if (status !== 200)
          return { message: `The assistant’s document was answered with status ${status}.` };
        return toClient(id, parseJson(answer));
      } catch (error) {
        if (error instanceof TargetError || error instanceof CallError || error instanceof OAuthError)
          return { message: `The assistant’s document cannot be used. ${error.message}` };
        throw error;
      }
    },
  };
}

/** @throws OAuthError */
function toClient(id: string, document: unknown): OAuthClient {
  const { client_id: named, token_endpoint_auth_method: method = 'none' } = (document ?? {}) as {
    client_id?: unknown;
    token_endpoint_auth_method?: unknown;
  };
  if (named !== id) throw invalid('It names another client_id.');
  // Another method identifies the client by a secret or a signature, which are not checked here.
  if (method !== 'none') throw invalid('Its token_endpoint_auth_method must be none.');
  return { ...parseClientMetadata(document), id, isDocument: true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('It is not JSON.');
  }
}

function invalid(message: string): OAuthError {
  return new OAuthError('invalid_client_metadata', message);
}

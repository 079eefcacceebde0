import * as texts from '#texts';

/** A refused or failed call, with what a person needs. `retryAfterSeconds`: null when the answer names none. */
export class ApiError extends Error {
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    {
      code,
      requestId,
      retryAfterSeconds,
    }: { code: string; requestId: string | null; retryAfterSeconds: number | null },
  ) {
    super(message);
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Sent = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: object;
  signal?: AbortSignal;
  /** whether it arrives although the page is left meanwhile; 64 kB at most */
  outlivesPage?: boolean;
};

/**
 * Calls the API with the session: `callApi('/keywords?app_id=1')`.
 * @throws ApiError for every answer but 200
 */
export function callApi<Answer>(path: string, sent: Sent = {}): Promise<Answer> {
  return callPage(`/dashboard/api${path}`, sent);
}

/**
 * Calls a page of the dashboard for its JSON.
 * @throws ApiError for every answer but 200
 */
export async function callPage<Answer>(
  path: string,
  { method = 'GET', body, signal, outlivesPage = false }: Sent = {},
): Promise<Answer> {
  const headers: Record<string, string> = { Accept: 'application/json', 'X-Shelfwise-Page': '1' };
  // A write is JSON, also one without content.
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  const init: RequestInit = { method, headers, keepalive: outlivesPage };
  if (method !== 'GET') init.body = JSON.stringify(body ?? {});
  if (signal) init.signal = signal;
  const answer = await fetch(path, init).catch((err: unknown) => {
    if (signal?.aborted) throw err;
    throw new ApiError(texts.error.offline, { code: 'OFFLINE', requestId: null, retryAfterSeconds: null });
  });
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content as Answer;
  // The session has ended. What is typed stays in this page: the sign-in is opened in another tab.
  if (content.code === 'SESSION_REQUIRED' && location.pathname !== '/dashboard/sign-in')
    throw new ApiError(texts.error.signedOut(content.error), {
      code: 'SIGNED_OUT',
      requestId: null,
      retryAfterSeconds: null,
    });
  throw new ApiError(content.error ?? answer.statusText, {
    code: content.code ?? String(answer.status),
    requestId: answer.headers.get('X-Request-Id'),
    retryAfterSeconds: Number(answer.headers.get('Retry-After')) || null,
  });
}

import { passWindow } from './rate-windows.ts';

/** `ms` is the duration of the request. */
export type ApiAnswer = {
  status: number;
  body: {
    // biome-ignore lint/suspicious/noExplicitAny: a script prints whatever comes
    data?: any;
    meta?: Record<string, unknown>;
    error?: string;
    code?: string;
  };
  ms: number;
};

export type Api = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** A service that does not answer this many times in a row has a fault, on any machine. */
const mostTries = 10;

/**
 * Calls the API with one key. A rate-limited call waits for `retry-after` and is repeated.
 * @param isPlain no compressed answers
 * @param isPatient what a service did not answer in time (503), because the machine is busy, is asked for again
 */
export function createApi(url: string, key: string, { isPlain = false, isPatient = false } = {}): Api {
  return async function call(method, path, body) {
    const headers = new Headers({ 'x-api-key': key });
    if (isPlain) headers.set('accept-encoding', 'identity');
    const request: RequestInit = { method, headers };
    if (body !== undefined) {
      headers.set('content-type', 'application/json');
      request.body = JSON.stringify(body);
    }
    for (let tries = 1; ; tries++) {
      const startedAt = performance.now();
      const response = await fetch(`${url}/api/v1${path}`, request);
      const answer = {
        status: response.status,
        body: (await response.json()) as ApiAnswer['body'],
        ms: performance.now() - startedAt,
      };
      const isLate = answer.status === 503 && isPatient && tries < mostTries;
      if (answer.body.code !== 'RATE_LIMITED' && !isLate) return answer;
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await passWindow(url, seconds * 1000);
    }
  };
}

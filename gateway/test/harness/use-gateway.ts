import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { routes as allRoutes } from '../../src/routes/index.ts';
import { type BootedGateway, type BootOptions, bootGateway } from './boot-gateway.ts';
import { checkOfRoutes } from './check-documented.ts';
import { createRecordingLogger } from './recording-logger.ts';
import { createSender, type SentRequest } from './send-request.ts';

export type ApiAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads arbitrary answers
  body: any;
};

/** The status and the code of a refused or failed call, as in `404 APP_NOT_FOUND`. */
export const refusalOf = ({ status, body }: ApiAnswer): string => `${status} ${body.code}`;

/** A clock that moves only when the test advances it. */
function createTestClock(startsAt = '2026-06-15T12:00:00Z') {
  let elapsedMs = 0;
  let setByMs = 0;
  const start = Date.parse(startsAt);
  return {
    now: () => new Date(start + elapsedMs + setByMs),
    monotonicMs: () => elapsedMs,
    advance(ms: number) {
      elapsedMs += ms;
    },
    /** Sets the date by this while no time passes, as in another month; the next test has the old one. */
    setBy(ms: number) {
      setByMs = ms;
    },
  };
}

export type ApiRequest = {
  /** null: without a key; by default the key of the file's own account */
  key?: string | null;
  body?: unknown;
  raw?: SentRequest['body'] | undefined;
  headers?: Record<string, string>;
  withoutPause?: boolean;
};

/**
 * A gateway for the tests of one file: call it at the top. It starts before the first test with one account and stops
 * after the last.
 */
export function useGateway(options: BootOptions = {}) {
  const clock = createTestClock();
  const { logger, lines } = createRecordingLogger();
  const metrics = createMetrics();
  const sender = createSender();
  const checkDocumented = checkOfRoutes(options.routes ?? allRoutes);
  let booted: BootedGateway;
  let account = { id: '', key: '' };

  /** A new account with empty rate windows and an unspent quota. */
  function createKey(plan = 'unlimited') {
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    return booted.gateway.accounts.create({ email, plan });
  }

  /**
   * Sends one request. An answer under /api/v1 must match the OpenAPI document. The clock advances first, so that the
   * rate windows admit the request, unless `withoutPause` is set.
   */
  async function call(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    if (!request.withoutPause) clock.advance(1020);
    const { status, headers, text } = await sender.send(
      `${booted.url}${path}`,
      toSentRequest(method, request, account.key),
    );
    const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
    const body = text !== '' && mediaType === 'application/json' ? JSON.parse(text) : text;
    const isDocumented = path.startsWith('/api/v1') && !path.startsWith('/api/v1/openapi.json');
    if (isDocumented && method !== 'HEAD') checkDocumented(method, path, status, body, mediaType);
    return { status, headers, body };
  }

  beforeAll(async () => {
    const clocks = { now: clock.now, monotonicMs: clock.monotonicMs };
    booted = await bootGateway({ logger, metrics, ...clocks, ...options });
    account = await createKey();
  });
  beforeEach(() => {
    for (const service of Object.values(booted.services)) service.forget();
    clock.setBy(0);
    // The windows of earlier tests are empty again.
    clock.advance(60_000);
  });
  afterAll(async () => {
    sender.close();
    await booted.stop();
  });

  return {
    clock,
    lines,
    metrics,
    createKey,
    call,
    get url() {
      return booted.url;
    },
    get key() {
      return account.key;
    },
    get accountId() {
      return account.id;
    },
    get gateway() {
      return booted.gateway;
    },
    get tracking() {
      return booted.services.tracking;
    },
    get scoring() {
      return booted.services.scoring;
    },
    get storeFetch() {
      return booted.services.storeFetch;
    },
    get niche() {
      return booted.services.niche;
    },
    get chart() {
      return booted.services.chart;
    },
    get notify() {
      return booted.services.notify;
    },
    get services() {
      return booted.services;
    },
    /** The requests that the services received since the test started: each RPC with its message. */
    requests: () => Object.values(booted.services).flatMap(({ requests }) => requests),
    get connection() {
      return booted.connection;
    },
  };
}

function toSentRequest(method: string, request: ApiRequest, ownKey: string): SentRequest {
  const key = request.key === undefined ? ownKey : request.key;
  const body = request.body === undefined ? (request.raw ?? null) : JSON.stringify(request.body);
  const headers: Record<string, string> = {};
  if (key !== null) headers['x-api-key'] = key;
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  return { method, headers: { ...headers, ...request.headers }, body };
}

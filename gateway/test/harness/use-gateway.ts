import { createMetrics } from '@shelfwise/runtime/metrics';
import type { GatewayDeps } from '../../src/gateway.ts';
import { createOpenApiDocument } from '../../src/openapi/openapi-document.ts';
import { readExample } from '../../src/openapi/recorded-examples.ts';
import { routes as allRoutes } from '../../src/routes/index.ts';
import { type BootedGateway, bootGateway } from './boot-gateway.ts';
import { createDocumentCheck } from './check-documented.ts';
import { createRecordingLogger } from './recording-logger.ts';

export type ApiAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads arbitrary answers
  body: any;
};

/** A clock that moves only when the test advances it. */
function createTestClock(startsAt = '2026-06-15T12:00:00Z') {
  let elapsedMs = 0;
  const start = Date.parse(startsAt);
  return {
    now: () => new Date(start + elapsedMs),
    monotonicMs: () => elapsedMs,
    advance(ms: number) {
      elapsedMs += ms;
    },
  };
}

export type ApiRequest = {
  /** null: without a key; by default the key of the file's own account */
  key?: string | null;
  body?: unknown;
  raw?: RequestInit['body'];
  headers?: Record<string, string>;
  withoutPause?: boolean;
};

/**
 * A gateway for the tests of one file: call it at the top. It starts before the first test with one account and stops
 * after the last.
 */
export function useGateway(options: Partial<GatewayDeps> = {}) {
  const clock = createTestClock();
  const { logger, lines } = createRecordingLogger();
  const metrics = createMetrics();
  const document = createOpenApiDocument(options.routes ?? allRoutes, readExample);
  const checkDocumented = createDocumentCheck(document as Parameters<typeof createDocumentCheck>[0]);
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
    const response = await fetch(`${booted.url}${path}`, toInit(method, request, account.key));
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? JSON.parse(text) : text;
    const { status, headers } = response;
    const isDocumented = path.startsWith('/api/v1') && !path.startsWith('/api/v1/openapi.json');
    if (isDocumented && method !== 'HEAD') checkDocumented(method, path, status, body, mediaTypeOf(response));
    return { status, headers, body };
  }

  beforeAll(async () => {
    const clocks = { now: clock.now, monotonicMs: clock.monotonicMs };
    booted = await bootGateway({ logger, metrics, ...clocks, ...options });
    account = await createKey();
  });
  beforeEach(() => {
    for (const service of Object.values(booted.services)) service.forget();
    // The windows of earlier tests are empty again.
    clock.advance(60_000);
  });
  afterAll(() => booted.stop());

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

function mediaTypeOf({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0] ?? '';
}

function toInit(method: string, request: ApiRequest, ownKey: string): RequestInit {
  const key = request.key === undefined ? ownKey : request.key;
  const body = request.body === undefined ? request.raw : JSON.stringify(request.body);
  const headers: Record<string, string> = {};
  if (key !== null) headers['x-api-key'] = key;
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  return { method, redirect: 'manual', headers: { ...headers, ...request.headers }, body: body ?? null };
}

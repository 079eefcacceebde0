import { createManualTimers } from '../../../testing/manual-timers.ts';
import { until } from '../../../testing/until.ts';
import { createApiClient } from './api-client.ts';
import { ApiError, describeError } from './api-error.ts';
import { type CallQueue, createCallQueue, QueueError } from './call-queue.ts';
import type { Operation } from './operation.ts';

const signal = new AbortController().signal;
const list: Operation = {
  id: 'listThings',
  method: 'GET',
  path: '/api/v1/things/{id}',
  cost: 0,
  deadlineMs: 5000,
  parameters: { path: ['id'], query: ['search', 'page'], body: [] },
  input: {},
  answer: {},
};
const add: Operation = {
  ...list,
  method: 'POST',
  path: '/api/v1/things',
  parameters: { path: [], query: [], body: ['title', 'is_new'] },
};

describe('a call of the API', () => {
  it('puts each parameter where it belongs, and the key in a header', async () => {
    const { client, requests } = fakeApi([{ body: { data: 1 } }, { body: { data: 2 } }]);
    await client.call(list, { id: 7, search: 'a&b', page: undefined }, { signal });
    await client.call(add, { title: 'Über', is_new: false }, { signal });
    expect(requests[0]).toMatchObject({
      url: 'http://api/base/api/v1/things/7?search=a%26b',
      body: null,
    });
    expect(requests[0]?.headers).toMatchObject({ 'x-api-key': 'key', 'user-agent': 'test' });
    expect(requests[1]).toMatchObject({ method: 'POST', body: '{"title":"Über","is_new":false}' });
  });

  it('is not made with an id that is another path', async () => {
    const { client, requests } = fakeApi([]);
    await expect(client.call(list, { id: '..' }, { signal })).rejects.toThrow('id must be an id, not “..”.');
    expect(requests).toEqual([]);
  });

  it('is made again after the time that a rate limit asks for', async () => {
    const refusal = { status: 429, retryAfter: '2', body: { error: 'slow', code: 'RATE_LIMITED' } };
    const { client, requests, clock } = fakeApi([refusal, { body: { data: 'good' } }]);
    const answered = client.call(add, { title: 'A' }, { signal });
    await until(() => requests.length === 1 && clock.pending() === waitingForSlot);
    await clock.advance(1999);
    expect(requests).toHaveLength(1);
    await clock.advance(1);
    expect(await answered).toEqual({ data: 'good' });
  });

  it('is made again while a service is busy only when it changes nothing', async () => {
    const busy = { status: 503, retryAfter: '0', body: { error: 'busy', code: 'SERVICE_UNAVAILABLE' } };
    const reads = fakeApi([busy, { body: { data: 'good' } }]);
    const answered = reads.client.call(list, { id: 1 }, { signal });
    await until(() => reads.requests.length === 1 && reads.clock.pending() === 1);
    await reads.clock.advance(1000);
    expect(await answered).toEqual({ data: 'good' });
    const writes = fakeApi([busy]);
    await expect(writes.client.call(add, { title: 'A' }, { signal })).rejects.toThrow('busy');
  });

  it('does not keep the other calls of the key waiting while its service is busy', async () => {
    const busy = { status: 503, retryAfter: '1', body: { error: 'busy', code: 'SERVICE_UNAVAILABLE' } };
    const replies = [busy, { body: { data: 'other' } }, { body: { data: 'good' } }];
    const { client, requests, clock } = fakeApi(replies);
    const first = client.call(list, { id: 1 }, { signal });
    await until(() => requests.length === 1 && clock.pending() === 1);
    // No time passes.
    expect(await client.call(list, { id: 2 }, { signal })).toEqual({ data: 'other' });
    await clock.advance(1000);
    expect(await first).toEqual({ data: 'good' });
  });

  it('ends with what the API said when it gets no slot to ask again', async () => {
    const busy = { status: 503, retryAfter: '1', body: { error: 'busy', code: 'SERVICE_UNAVAILABLE' } };
    const queue: CallQueue = {
      ...createCallQueue(createManualTimers()),
      takeSlot: async ({ repeated }) => {
        if (repeated) throw new QueueError('waited too long');
        return () => {};
      },
    };
    const { client, requests, clock } = fakeApi([busy], { queue });
    const refused = expect(client.call(list, { id: 1 }, { signal })).rejects.toThrow('busy');
    await until(() => requests.length === 1 && clock.pending() === 1);
    await clock.advance(1000);
    await refused;
  });

  it('ends at a stop when it waits, not when the API answers it', async () => {
    const stop = new AbortController();
    const replies = [{ body: { data: 'good' } }];
    const { client } = fakeApi(replies, { stopped: stop.signal });
    const answered = client.call(list, { id: 1 }, { signal });
    const waiting = fakeApi([], { stopped: stop.signal });
    waiting.queue.pause(60_000);
    const refused = expect(waiting.client.call(list, { id: 1 }, { signal })).rejects.toThrow('stopping');
    stop.abort(new Error('stopping'));
    await refused;
    expect(await answered).toEqual({ data: 'good' });
  });

  it('says that it waits for the rate limit', async () => {
    const { client, queue, clock } = fakeApi([{ body: { data: 1 } }]);
    queue.pause(1500);
    const said: string[] = [];
    const answered = client.call(list, { id: 1 }, { signal, onWait: (reason) => said.push(reason) });
    await clock.advance(999);
    expect(said).toEqual([]);
    await clock.advance(501);
    await answered;
    expect(said).toEqual(['waiting for the rate limit of the key']);
  });

  it('does not show its address to a caller who is elsewhere', async () => {
    const reasons: unknown[] = [];
    const { client } = fakeApi([], { onUnreachable: (reason) => reasons.push(reason) });
    await expect(client.call(list, { id: 1 }, { signal })).rejects.toThrow(
      'The API cannot be reached. Try again.',
    );
    expect(reasons).toHaveLength(1);
  });

  it('fails with the code, the details and what to do', async () => {
    const details = { issues: { formErrors: [], fieldErrors: { page: ['must be at most 5'] } }, notes: [] };
    const { client } = fakeApi([{ status: 400, body: { error: 'wrong', code: 'INVALID_PARAMS', details } }]);
    const error = await client.call(list, { id: 1 }, { signal }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(describeError(error)).toBe(`INVALID_PARAMS: wrong\ndetails: ${JSON.stringify(details)}`);
  });

  it('does not take the page of another server for an answer', async () => {
    const { client } = fakeApi([{ body: '<html>' }]);
    await expect(client.call(list, { id: 1 }, { signal })).rejects.toThrow(
      'not an answer of the Shelfwise API (status 200)',
    );
  });

  it('says which address cannot be reached', async () => {
    const { client } = fakeApi([]);
    await expect(client.call(list, { id: 1 }, { signal })).rejects.toThrow(
      'The API at http://api/base cannot be reached (ECONNREFUSED). Is it running?',
    );
  });

  it('ends when it is cancelled', async () => {
    const { client } = fakeApi([]);
    const cancelled = AbortSignal.abort(new Error('not needed'));
    await expect(client.call(list, { id: 1 }, { signal: cancelled })).rejects.toThrow('not needed');
  });
});

type Reply = { status?: number; retryAfter?: string; body: unknown };
type Sent = { url: string; method: string; headers: unknown; body: unknown };

/** The timers of a call that has to wait: for its slot, to say so, and to give up. */
const waitingForSlot = 3;

/** Answers with these replies in their order, then with no connection. */
function fakeApi(replies: Reply[], deps: Partial<Parameters<typeof createApiClient>[0]> = {}) {
  const requests: Sent[] = [];
  const clock = createManualTimers();
  const queue = createCallQueue(clock);
  const send = async (url: unknown, options: RequestInit = {}) => {
    const { method = 'GET', headers, body = null } = options;
    requests.push({ url: String(url), method, headers, body });
    const reply = replies.shift();
    if (!reply) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    return new Response(text, {
      status: reply.status ?? 200,
      headers: reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter },
    });
  };
  const client = createApiClient({
    baseUrl: 'http://api/base',
    key: 'key',
    queue,
    userAgent: 'test',
    clock,
    fetch: send as typeof fetch,
    ...deps,
  });
  return { client, requests, queue, clock };
}

import { callWithin } from '../../../testing/call-within.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { createScriptedSource } from './scripted-source.ts';
import { type Client, storefront, useService } from './use-service.ts';

const { connect } = useService();

/** Starts a service with a manual clock and a store with scripted answers. */
async function start() {
  const clock = createManualClock('2026-11-21T12:00:00Z');
  const { source, answers } = createScriptedSource(clock.now);
  return { clock, answers, source, ...(await connect(source, { now: clock.now })) };
}

function run(
  client: Client,
  prefix: string,
  { accountId = 'ann', country = 'US' }: { accountId?: string; country?: string } = {},
) {
  return client.runAutocomplete(
    { account_id: accountId, storefront: storefront('ITUNES', country), prefix },
    callWithin(),
  );
}

function list(client: Client, accountId = 'ann') {
  return client.listAutocompletes({ account_id: accountId, page: 1, per_page: 50 }, callWithin());
}

const prefixesOf = ({ queries }: Awaited<ReturnType<typeof list>>) => queries.map(({ prefix }) => prefix);

test('a row has the prefix, the storefront, the number of suggestions and the time', async () => {
  const { client, clock, answers } = await start();
  answers.terms = () => ['habit', 'habit tracker', 'habits'];
  await run(client, ' Hab');
  expect(await list(client)).toEqual({
    queries: [
      {
        id: 1,
        prefix: 'hab',
        storefront: storefront(),
        suggestion_count: 3,
        last_queried_at: clock.now(),
      },
    ],
    total: 1,
  });
});

test('a repeated query updates its row and moves it to the top', async () => {
  const { client, clock, answers } = await start();
  await run(client, 'hab');
  clock.advance(1000);
  await run(client, 'mood');
  clock.advance(1000);
  answers.terms = () => [];
  await run(client, 'hab');
  const { queries, total } = await list(client);
  expect(total).toBe(2);
  expect(queries).toMatchObject([
    { id: 1, prefix: 'hab', suggestion_count: 0, last_queried_at: clock.now() },
    { id: 2, prefix: 'mood', suggestion_count: 1 },
  ]);
});

test('the same prefix in another storefront is another row', async () => {
  const { client } = await start();
  await run(client, 'hab');
  await run(client, 'hab', { country: 'GB' });
  expect((await list(client)).queries.map(({ storefront }) => storefront?.country)).toEqual(['GB', 'US']);
});

test('accounts see only their own queries', async () => {
  const { client } = await start();
  await run(client, 'hab');
  await run(client, 'mood', { accountId: 'bob' });
  await run(client, 'hab', { accountId: 'bob' });
  expect(prefixesOf(await list(client))).toEqual(['hab']);
  expect(prefixesOf(await list(client, 'bob'))).toEqual(['hab', 'mood']);
});

test('the same query from many callers at the same time, in two copies of the service, is one row, saved for each of them', async () => {
  const one = await start();
  const other = await connect(one.source, { now: one.clock.now });
  const clients = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one.client : other.client));
  const replies = await Promise.all(clients.map((client) => run(client, 'hab')));
  expect(replies.every((reply) => reply.is_saved)).toBe(true);
  expect((await list(one.client)).total).toBe(1);
});

test('a start with an existing history preserves it', async () => {
  const first = await start();
  await run(first.client, 'hab');
  const second = await connect(first.source);
  expect(prefixesOf(await list(second.client))).toEqual(['hab']);
});

import { codeOf } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { allAlerts, createHarness, publisher, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();

const copies = [
  ['one of many copies', { isOnlyCopy: false }],
  ['the only copy', { isOnlyCopy: true }],
] as const;

test.each(copies)(
  '%s: a deleted account leaves no row, also when its events come again or late; another account keeps its own',
  async (_, options) => {
    const notify = await startNotify(options);
    const { client, accountRows, connection } = notify;
    const publish = publisher(notify);
    const events = [];
    for (const accountId of ['ann', 'bob'])
      events.push(
        await publish.trackApp({ account_id: accountId }),
        await publish.trackKeyword({ account_id: accountId }),
        await publish.setFavorite({ account_id: accountId }),
        await publish.trackCompetitor({ account_id: accountId }),
      );
    const channels = useChannels(notify);
    for (const accountId of ['ann', 'bob']) {
      const { id } = await channels.create({ account_id: accountId });
      await client.testAlertChannel({ account_id: accountId, id });
      const digest = { channel_id: id, every: 'DAY', hour: 7, time_zone: 'UTC' } as const;
      await client.createAlertDigest({ account_id: accountId, ...digest });
    }
    await publish.takePage(8, { 'app-1': 3 });
    await publish.takePage(9, { 'app-1': 40 });
    await untilIdle(notify.clock);
    const reply = await accountRows.deleteAccountRows({ account_id: 'ann' });
    // Three rows of what it tracks, four rules, a channel, its delivery, a digest, two alerts, and the row of the account.
    expect(reply).toEqual({ deleted: 13, is_complete: true });
    for (const event of events) await notify.bus.redeliver(event);
    await publish.takePage(10, { 'app-1': 3 });
    await publish.takePage(11, { 'app-1': 40 });

    expect(await codeOf(client.listAlertRules({ account_id: 'ann', page: 1, per_page: 50 }))).toBe(
      'NOT_FOUND',
    );
    for (const { name } of await connection.listCollections()) {
      const rows = await connection.collection(name).find({}).toArray();
      expect([name, /"ann[":]/.test(JSON.stringify(rows))]).toEqual([name, false]);
    }
    expect(await codeOf(channels.create())).toBe('NOT_FOUND');
    expect((await client.listAlerts({ ...allAlerts, account_id: 'bob' })).total).toBe(4);
    expect(await channels.list('bob')).toHaveLength(1);
    expect((await accountRows.deleteAccountRows({ account_id: 'ann' })).is_complete).toBe(true);
  },
);

test.each(copies)(
  '%s: a late event of a deleted account leaves no row, also when it fails and becomes a dead letter',
  async (_, options) => {
    const notify = await startNotify(options);
    const { accountRows, connection } = notify;
    await accountRows.deleteAccountRows({ account_id: 'ann' });
    jest
      .spyOn(connection.model('NotifiedAccount'), 'updateOne')
      .mockImplementation((() => Promise.reject(new Error('it fails on every attempt'))) as never);
    await expect(publisher(notify).trackApp()).rejects.toThrow('it fails on every attempt');
    for (const name of ['tracked_apps', 'alert_rules'])
      expect([name, await connection.collection(name).find({}).toArray()]).toEqual([name, []]);
  },
);

test.each([
  [{ isOnlyCopy: false }, ['update tracked_keywords', 'find deleted_accounts']],
  [{ isOnlyCopy: true }, ['update tracked_keywords']],
])(
  '%p: what a keyword costs that an account tracks, which was not deleted at its last event',
  async (options, expected) => {
    const notify = await startNotify(options);
    const publish = publisher(notify);
    await publish.trackApp();
    const commands = recordCommands(notify.connection);
    await publish.trackKeyword();
    expect(commands).toEqual(expected);
  },
);

import type { ListNotesRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { recordCommands } from '../../../testing/record-commands.ts';
import { addNote } from '../src/handlers/notes.ts';
import { maxNotes } from '../src/stores/note-store.ts';
import { createHarness, trackApp } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

async function start() {
  const tracking = await startTracking();
  const { client } = tracking;
  const appId = await trackApp(tracking, 'ann');
  const app = { account_id: 'ann', app_id: appId };
  const add = (date: string, text: string, of = app) => client.addNote({ ...of, date, text });
  const list = (change: Partial<ListNotesRequest> = {}) =>
    client.listNotes({ ...app, page: 1, per_page: 50, ...change });
  const texts = async (change?: Partial<ListNotesRequest>) =>
    (await list(change)).notes.map(({ text }) => text);
  return { tracking, client, appId, app, add, list, texts };
}

test('notes are listed with the latest day first, and of a day the last one first', async () => {
  const { add, list, texts, tracking } = await start();
  const first = await add('2026-02-01', 'Ads began');
  expect(first).toEqual({
    id: expect.any(Number),
    date: '2026-02-01',
    text: 'Ads began',
    created_at: tracking.clock.at,
  });
  await add('2026-01-15', 'Earlier');
  await add('2026-02-01', 'Ads ended');
  expect(await texts()).toEqual(['Ads ended', 'Ads began', 'Earlier']);
  const { notes, total } = await list({ page: 2, per_page: 2 });
  expect([notes.map(({ text }) => text), total]).toEqual([['Earlier'], 3]);
  expect((await list()).notes[1]).toEqual(first);
});

test('the total is that of all pages, and is counted only where the page does not end the list', async () => {
  const { add, list, tracking } = await start();
  for (const day of ['01', '02', '03']) await add(`2026-02-${day}`, day);
  const commands = recordCommands(tracking.connection);
  const isCounted = async (change: Partial<ListNotesRequest>) => {
    commands.length = 0;
    const { total } = await list(change);
    return [total, commands.some((command) => /^(aggregate|count) notes$/.test(command))];
  };
  expect(await isCounted({})).toEqual([3, false]);
  expect(await isCounted({ per_page: 2, page: 2 })).toEqual([3, false]);
  expect(await isCounted({ per_page: 3 })).toEqual([3, true]);
  expect(await isCounted({ per_page: 2 })).toEqual([3, true]);
  expect(await isCounted({ page: 2 })).toEqual([3, true]);
});

test('a note is removed once', async () => {
  const { add, app, client, texts } = await start();
  const { id } = await add('2026-02-01', 'Ads began');
  expect(await client.removeNote({ ...app, id })).toEqual({ id, already_removed: false });
  expect(await client.removeNote({ ...app, id })).toEqual({ id, already_removed: true });
  expect(await texts()).toEqual([]);
});

test('an account sees and removes only its own notes, of the application that it names', async () => {
  const { tracking, client, add, appId, app, texts } = await start();
  const { id } = await add('2026-02-01', 'Ads began');
  await trackApp(tracking, 'bob');
  const bob = { account_id: 'bob', app_id: appId };
  expect(await texts(bob)).toEqual([]);
  expect(await client.removeNote({ ...bob, id })).toMatchObject({ already_removed: true });
  const other = { ...app, app_id: await trackApp(tracking, 'ann', '2002') };
  expect(await client.removeNote({ ...other, id })).toMatchObject({ already_removed: true });
  expect(await texts(other)).toEqual([]);
  expect(await texts()).toEqual(['Ads began']);
});

test('only for an application that is tracked; its notes are there again when it is tracked again', async () => {
  const { tracking, client, add, app, list, texts } = await start();
  const { id } = await add('2026-02-01', 'Ads began');
  await client.untrackApplication({ account_id: 'ann', id: app.app_id });
  expect(await codeOf(add('2026-02-01', 'More'))).toBe('APP_NOT_FOUND');
  expect(await codeOf(list())).toBe('APP_NOT_FOUND');
  expect(await codeOf(client.removeNote({ ...app, id }))).toBe('APP_NOT_FOUND');
  await trackApp(tracking, 'ann');
  expect(await texts()).toEqual(['Ads began']);
});

test('a note of an account that is deleted meanwhile does not stay', async () => {
  const rows = new Map<number, object>();
  const deps = {
    // Its rows are deleted between the check of the application and the write.
    trackedApps: { isActive: async () => rows.size === 0 },
    notes: {
      add: async (_app: object, note: object) => {
        rows.set(7, note);
        return { _id: 7, ...note };
      },
      remove: async (_app: object, id: number) => rows.delete(id),
    },
    capReservations: {
      write: async (_request: object, { write }: { write: () => Promise<object> }) => ({
        written: await write(),
        isFull: false,
      }),
    },
    now: () => new Date('2026-03-10T09:00:00Z'),
  };
  const { signal } = new AbortController();
  const request = { account_id: 'ann', app_id: 42, date: '2026-02-01', text: 'Ads began' };
  expect(await codeOf(addNote(deps as never, request, { signal }))).toBe('APP_NOT_FOUND');
  expect(rows.size).toBe(0);
});

test('an application has at most 1,000 notes, and of six that are written at the same time the last one is added', async () => {
  const { tracking, app, add, list } = await start();
  const rows = Array.from({ length: maxNotes - 1 }, (_, index) => ({
    _id: 1_000_000 + index,
    account_id: app.account_id,
    listing_id: app.app_id,
    day: '2026-01-01',
    text: 'Old',
    created_at: tracking.clock.at,
  }));
  await tracking.connection.collection<{ _id: number }>('notes').insertMany(rows);
  const calls = Array.from({ length: 6 }, (_, index) => add('2026-02-01', `${index}`));
  expect(await countCodes(calls)).toEqual({ OK: 1, PLAN_LIMIT: 5 });
  expect((await list({ per_page: 1 })).total).toBe(maxNotes);
  expect(await codeOf(add('2026-02-01', 'One more'))).toBe('PLAN_LIMIT');
  // The notes of another application do not count.
  const other = { ...app, app_id: await trackApp(tracking, 'ann', '2002') };
  expect(await codeOf(add('2026-02-01', 'Other', other))).toBe('OK');
});

import { daysBefore } from '@shelfwise/runtime/day';
import fc from 'fast-check';
import { recordCommands } from '../../../testing/record-commands.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import { unpackMonth } from '../src/domain/snapshot-month.ts';
import { snapshotTaken } from '../src/domain/tracking-events.ts';
import { trackingSchema } from '../src/schema.ts';
import { createPackPastDays } from '../src/snapshots/pack-past-days.ts';
import { createSnapshotStore } from '../src/stores/snapshot-store.ts';
import { us } from './start-tracking.ts';

const database = useDatabase(trackingSchema);
const april = new Date('2026-04-01T00:00:00Z');
const never = new AbortController().signal;

const market = { keyword_id: 1, keyword: 'camera', storefront: us };

type Row = Snapshot & { _id: string; keyword_id: number; outbox_since?: Date };

const snapshotOf = (day: string, appIds: string[], revision = 1): Snapshot => ({
  day,
  taken_at: new Date(`${day}T09:30:00.123Z`),
  source: 'sample',
  app_ids: appIds,
  revision,
});
const rowOf = (keywordId: number, day: string, appIds = ['1', day]): Row => ({
  _id: `${keywordId}:${day}`,
  keyword_id: keywordId,
  ...snapshotOf(day, appIds),
});

async function start(rows: readonly Row[]) {
  const { connection } = await database.take();
  const snapshots = createSnapshotStore(connection);
  const collection = connection.collection<Row>('snapshots');
  if (rows.length > 0) await collection.insertMany([...rows]);
  const ids = async () => (await collection.find({}).toArray()).map(({ _id }) => _id).sort();
  /** `meanwhile` runs while both the months and the rows of their days exist. */
  const pack = (meanwhile = async () => {}, before = april) => {
    let pauses = 0;
    // The first pause is before the first month.
    const sleep = async () => void (pauses++ > 0 && (await meanwhile()));
    return createPackPastDays({ snapshots, sleep })(before, never);
  };
  const save = (day: string, appIds: string[], at = april) =>
    snapshots.saveFirst(
      [
        {
          keywordId: 1,
          snapshot: snapshotOf(day, appIds),
          toEvent: (saved) => snapshotTaken(market, saved, { at, requestId: 'request-1' }),
        },
      ],
      at,
    );
  const publishAll = () =>
    collection.updateMany({}, { $unset: { outbox: '', outbox_since: '', outbox_last: '' } });
  const stored = (keywordId: number, key: string) =>
    connection
      .collection<{ _id: string; packed: string }>('snapshots')
      .findOne({ _id: `${keywordId}:${key}` });
  return { connection, snapshots, collection, ids, pack, save, publishAll, stored };
}

const firstDay = daysBefore('2026-04-03', 92);
const anyRow = fc
  .record({
    keywordId: fc.integer({ min: 1, max: 3 }),
    age: fc.integer({ min: 0, max: 92 }),
    appIds: fc.shuffledSubarray(['1', '22', 'com.example', '333', '4', '5']),
  })
  .map(({ keywordId, age, appIds }) => rowOf(keywordId, daysBefore('2026-04-03', age), appIds));
const anyRows = fc.uniqueArray(anyRow, { selector: ({ _id }) => _id, maxLength: 120 });
const anyDay = fc.integer({ min: 0, max: 92 }).map((age) => daysBefore('2026-04-03', age));

test('every read gives the same before, while and after past days are packed, of this month and of others', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRows,
      fc.array(fc.tuple(anyDay, anyDay), { minLength: 5, maxLength: 5 }),
      anyDay,
      async (rows, days, packedOn) => {
        await database.clear();
        const { snapshots, pack, ids, stored } = await start(rows);
        const read = () =>
          Promise.all(
            days.map(async ([from, to]) => {
              const listed = await snapshots.listBetween(1, from, to);
              const between = await snapshots.readBetween([1, 2, 3], { from, to }, texts);
              const newest = new Map<number, unknown>();
              const upTo = new Map([1, 2, 3].map((id) => [id, id === 2 ? from : to]));
              await snapshots.visitNewest(upTo, firstDay, (id, { day, app_ids: page }) => {
                newest.set(id, { day, apps: texts(page) });
              });
              const onDays: unknown[] = [];
              await snapshots.visitDays(upTo, (id, { day, app_ids: page }) =>
                onDays.push([id, day, texts(page)]),
              );
              return {
                listed: listed.map(({ day, app_ids: page }) => ({ day, apps: texts(page) })),
                between: [...between].map(([id, pages]) => [id, [...pages].sort()]),
                newest: [...newest].sort(),
                onDays: onDays.sort(),
                taken: [...(await snapshots.findTaken([1, 2, 3], to))].sort(),
              };
            }),
          );
        const before = await read();
        const isSame = async () => expect(await read()).toEqual(before);
        await pack(isSame, new Date(packedOn));
        await isSame();
        const dayOfMonth = Number(packedOn.slice(8));
        const firstOpen = [22, 15, 8, 1].find((first) => first <= dayOfMonth);
        const openDay = `${packedOn.slice(0, 8)}${String(firstOpen).padStart(2, '0')}`;
        expect((await ids()).filter((id) => !id.endsWith('all'))).toEqual(
          rows
            .filter(({ day }) => day >= openDay)
            .map(({ _id }) => _id)
            .sort(),
        );
        await pack(isSame);
        await isSame();
        const past = rows.filter(({ day }) => day < '2026-04');
        const months = [...new Set(past.map(({ keyword_id: id, day }) => `${id}:${day.slice(0, 7)}-all`))];
        const open = rows.filter(({ day }) => day > '2026-04').map(({ _id }) => _id);
        expect(await ids()).toEqual([...months, ...open].sort());
        for (const id of months) {
          const [keywordId = '', key = ''] = id.split(':');
          const unpacked = unpackMonth(key, (await stored(Number(keywordId), key))?.packed ?? '');
          const ofMonth = past.filter(({ _id }) => _id.startsWith(id.slice(0, -3)));
          expect(unpacked).toEqual(
            ofMonth
              .sort((one, other) => (one.day < other.day ? -1 : 1))
              .map(({ _id, keyword_id: _keywordId, ...snapshot }) => snapshot),
          );
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('the last whole page is found in rows and in packed months; an empty one and one of a suspect storefront are none', async () => {
  const { snapshots, pack } = await start([
    rowOf(1, '2026-02-10', ['1', '22']),
    rowOf(1, '2026-03-05', []),
    rowOf(1, '2026-03-20', []),
    rowOf(1, '2026-04-01', []),
    { ...rowOf(1, '2026-04-02', ['4']), is_suspect: true },
    rowOf(2, '2026-04-01', ['5']),
    { ...rowOf(3, '2026-03-20', ['6']), is_suspect: true },
    rowOf(3, '2026-03-02', ['7']),
    rowOf(4, '2026-03-02', ['8']),
    rowOf(4, '2026-03-16', ['9']),
    rowOf(4, '2026-03-18', ['10']),
  ]);
  const expectFound = async () => {
    for (const day of ['2026-04-03', '2026-04-01', '2026-03-05', '2026-02-11'])
      expect([day, await snapshots.findLastWhole(1, day)]).toEqual([day, ['1', '22']]);
    expect(await snapshots.findLastWhole(1, '2026-02-10')).toBeNull();
    expect(await snapshots.findLastWhole(2, '2026-04-02')).toEqual(['5']);
    expect(await snapshots.findLastWhole(3, '2026-04-02')).toEqual(['7']);
    expect(await snapshots.findLastWhole(4, '2026-03-18')).toEqual(['9']);
    expect(await snapshots.findLastWhole(4, '2026-04-02')).toEqual(['10']);
  };
  await expectFound();
  // Of March only the days before the 15th, then all.
  await pack(expectFound, new Date('2026-03-19T00:00:00Z'));
  await expectFound();
  await pack(expectFound);
  await expectFound();
});

function texts(page: { length: number; at(index: number): string | undefined }): (string | undefined)[] {
  return Array.from({ length: page.length }, (_, index) => page.at(index));
}

test('a list of many keywords takes one query, whether their days are packed or not', async () => {
  const days = ['2026-02-27', '2026-02-28', '2026-03-01'];
  const { connection, snapshots, pack } = await start(
    [1, 2, 3, 4].flatMap((id) => days.map((day) => rowOf(id, day))),
  );
  await pack();
  const commands = recordCommands(connection);
  const visited: number[] = [];
  const upTo = new Map([1, 2, 3, 4].map((id) => [id, '2026-02-28']));
  await snapshots.visitNewest(upTo, '2026-01-01', (id) => visited.push(id));
  expect(visited.sort()).toEqual([1, 2, 3, 4]);
  expect((await snapshots.listBetween(1, '2026-01-01', '2026-03-31')).map(({ day }) => day)).toEqual(days);
  expect(commands).toEqual(['find snapshots', 'find snapshots']);
});

test('a day whose event is not published keeps its row until it is', async () => {
  const { collection, ids, pack, publishAll } = await start([
    rowOf(1, '2026-03-10'),
    { ...rowOf(1, '2026-03-11'), outbox_since: april },
  ]);
  expect(await pack()).toBe(1);
  expect(await ids()).toEqual(['1:2026-03-11', '1:2026-03-all']);
  await publishAll();
  expect(await pack()).toBe(1);
  expect(await collection.countDocuments()).toBe(1);
});

test('a page of a packed day is compared with the stored one, and published only when it replaces it', async () => {
  const { snapshots, collection, pack, save, publishAll, ids, stored } = await start([
    rowOf(1, '2026-03-10', ['9']),
    rowOf(1, '2026-03-11', []),
  ]);
  await pack();
  expect(await save('2026-03-10', ['8'])).toEqual([snapshotOf('2026-03-10', ['9'])]);
  expect(await save('2026-03-11', ['8'])).toEqual([snapshotOf('2026-03-11', ['8'], 2)]);
  expect(await save('2026-03-12', ['7'])).toEqual([snapshotOf('2026-03-12', ['7'])]);
  const withEvents = await collection.find({ outbox_since: { $ne: null as never } }).toArray();
  expect(withEvents.map(({ day }) => day).sort()).toEqual(['2026-03-11', '2026-03-12']);
  const pages = async () =>
    (await snapshots.listBetween(1, '2026-03-01', '2026-03-31')).map(({ day, app_ids: page }) => [
      day,
      ...texts(page),
    ]);
  const expected = [
    ['2026-03-10', '9'],
    ['2026-03-11', '8'],
    ['2026-03-12', '7'],
  ];
  expect(await pages()).toEqual(expected);
  await publishAll();
  await pack();
  expect(await pages()).toEqual(expected);
  expect(await ids()).toEqual(['1:2026-03-all']);
  const month = await stored(1, '2026-03-all');
  expect(unpackMonth('2026-03-all', month?.packed ?? '').map(({ revision }) => revision)).toEqual([1, 2, 1]);
});

test('a page of a packed day of the same month is compared with the stored one, too', async () => {
  const { snapshots, pack, save, ids } = await start([rowOf(1, '2026-04-02', ['9']), rowOf(1, '2026-04-16')]);
  await pack(undefined, new Date('2026-04-18T00:00:00Z'));
  expect(await ids()).toEqual(['1:2026-04-16', '1:2026-04-all']);
  expect(await save('2026-04-02', ['8'], new Date('2026-04-20T00:00:00Z'))).toEqual([
    snapshotOf('2026-04-02', ['9']),
  ]);
  const [first] = await snapshots.listBetween(1, '2026-04-02', '2026-04-02');
  expect(first?.app_ids.at(0)).toBe('9');
});

test('a day that is replaced while its month is packed keeps its row, which counts', async () => {
  const { snapshots, pack, save, ids } = await start([
    rowOf(1, '2026-03-10', []),
    rowOf(1, '2026-03-11', ['9']),
  ]);
  await pack(async () => void (await save('2026-03-10', ['8'])));
  expect(await ids()).toEqual(['1:2026-03-10', '1:2026-03-all']);
  const [first] = await snapshots.listBetween(1, '2026-03-10', '2026-03-10');
  expect(first?.app_ids.at(0)).toBe('8');
});

test('copies that pack at the same time and ones that continue after a crash lose no day', async () => {
  const days = Array.from({ length: 31 }, (_, index) => daysBefore('2026-03-31', index)).reverse();
  const { snapshots, pack, ids } = await start([1, 2, 3].flatMap((id) => days.map((day) => rowOf(id, day))));
  // A copy that died before it deleted anything.
  await snapshots.packSome('2026-04-01', 500);
  await Promise.all([pack(), pack()]);
  await pack();
  expect(await ids()).toEqual(['1:2026-03-all', '2:2026-03-all', '3:2026-03-all']);
  const listed = await snapshots.listBetween(2, '2026-03-01', '2026-03-31');
  expect(listed.map(({ day }) => day)).toEqual(days);
});

test('a packed month is deleted when its last day expires', async () => {
  const { snapshots, pack, ids } = await start([rowOf(1, '2026-02-01'), rowOf(1, '2026-03-01')]);
  await pack();
  await snapshots.deleteBefore('2026-02-28');
  expect(await ids()).toEqual(['1:2026-02-all', '1:2026-03-all']);
  await snapshots.deleteBefore('2026-03-01');
  expect(await ids()).toEqual(['1:2026-03-all']);
});

test('a packer that is stopped deletes nothing more', async () => {
  const { snapshots, ids } = await start([rowOf(1, '2026-03-10')]);
  const stopping = new AbortController();
  let pauses = 0;
  const sleep = async () => void (pauses++ > 0 && stopping.abort());
  expect(await createPackPastDays({ snapshots, sleep })(april, stopping.signal)).toBe(0);
  expect(await ids()).toEqual(['1:2026-03-10', '1:2026-03-all']);
});

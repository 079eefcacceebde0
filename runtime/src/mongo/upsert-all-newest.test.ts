import { upsertAllNewest } from './upsert-all-newest.ts';

const refused = Object.assign(new Error('E11000 duplicate key error'), { code: 11000 });
const one = { filter: { _id: 'one' }, update: { $set: { at: 1 } } };
const other = { filter: { _id: 'other' }, update: { $set: { at: 1 } } };

/** `write` gets the ids of each command. */
function modelOf(write: (ids: string[]) => Promise<object>) {
  const bulkWrite = jest.fn((operations: { updateOne: typeof one }[]) =>
    write(operations.map(({ updateOne }) => updateOne.filter._id)),
  );
  return { model: { collection: { bulkWrite } } as never, bulkWrite };
}

test('one command is enough, and its counts are returned', async () => {
  const counts = { matchedCount: 1, upsertedCount: 1, modifiedCount: 1 };
  const { model, bulkWrite } = modelOf(async () => counts);
  expect(await upsertAllNewest(model, [one, other])).toEqual(counts);
  expect(bulkWrite).toHaveBeenCalledTimes(1);
});

test('when a newer row exists, the others are upserted one by one, and what changed is not known', async () => {
  const written: string[] = [];
  const { model } = modelOf(async (ids) => {
    if (ids.includes('one')) throw refused;
    written.push(...ids);
    return {};
  });
  expect(await upsertAllNewest(model, [one, other])).toBeNull();
  expect(written).toEqual(['other']);
});

test('another failure is passed on', async () => {
  const { model, bulkWrite } = modelOf(() => Promise.reject(new Error('no database')));
  await expect(upsertAllNewest(model, [one, other])).rejects.toThrow('no database');
  expect(bulkWrite).toHaveBeenCalledTimes(1);
});

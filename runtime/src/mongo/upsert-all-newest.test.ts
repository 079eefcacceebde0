import { upsertAllNewest } from './upsert-all-newest.ts';

const refused = Object.assign(new Error('E11000 duplicate key error'), { code: 11000 });

test('one command is enough, and its counts are returned', async () => {
  const each = jest.fn();
  expect(await upsertAllNewest(async () => ({ modifiedCount: 1 }), [each])).toEqual({ modifiedCount: 1 });
  expect(each).not.toHaveBeenCalled();
});

test('when a newer row exists, the others are upserted one by one, and what changed is not known', async () => {
  const newer = jest.fn().mockRejectedValue(refused);
  const other = jest.fn().mockResolvedValue({});
  expect(await upsertAllNewest(jest.fn().mockRejectedValue(refused), [newer, other])).toBeNull();
  expect(other).toHaveBeenCalledTimes(1);
});

test('another failure is passed on', async () => {
  const each = jest.fn();
  const failing = jest.fn().mockRejectedValue(new Error('no database'));
  await expect(upsertAllNewest(failing, [each])).rejects.toThrow('no database');
  expect(each).not.toHaveBeenCalled();
});

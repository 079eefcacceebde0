import { recordCommands } from '../../testing/record-commands.ts';
import { useDatabase } from '../../testing/use-database.ts';
import { createAppliedEvents } from '../src/events/applied-events.ts';

const database = useDatabase({
  database: 'applied',
  createModels: (connection) => createAppliedEvents(connection),
  migrations: [],
});

const at = new Date('2026-03-10T09:00:00Z');

test('what partitions look up and mark at the same time is one command each, and each gets what is its own', async () => {
  const { connection } = await database.take();
  const applied = createAppliedEvents(connection);
  await applied.add('readers', ['1', '4'], at);
  const commands = recordCommands(connection);
  const found = await Promise.all([
    applied.find('readers', ['1', '2']),
    applied.find('readers', ['3', '4']),
    applied.find('others', ['1']),
  ]);
  expect(found.map((ids) => [...ids])).toEqual([['1'], ['4'], []]);
  await Promise.all([
    applied.add('readers', ['2', '1'], at),
    applied.add('readers', ['3'], at),
    applied.add('others', ['1'], at),
  ]);
  expect(commands).toEqual(['find applied_events', 'insert applied_events']);
  expect([...(await applied.find('readers', ['1', '2', '3', '4', '5']))]).toEqual(['1', '2', '3', '4']);
  expect([...(await applied.find('others', ['1', '2']))]).toEqual(['1']);
});

test('more than a command holds is looked up and marked in several', async () => {
  const { connection } = await database.take();
  const applied = createAppliedEvents(connection);
  const ids = Array.from({ length: 1100 }, (_, n) => `${n}`);
  await applied.add('readers', ids, at);
  expect((await applied.find('readers', [...ids, 'another'])).size).toBe(1100);
});

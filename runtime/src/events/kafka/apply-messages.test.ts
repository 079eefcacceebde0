import { createEvent } from '../../../../testing/event-collector.ts';
import type { EventRecord } from '../event-bus.ts';
import { applyMessages } from './apply-messages.ts';
import { toMessage } from './event-message.ts';
import type { KafkaMessage } from './kafka-client.ts';

const source = { topic: 'things.made.v1', partition: 0 };

const stored = (message: object, offset: number) => ({ ...message, offset: `${offset}` }) as KafkaMessage;
const eventMessage = (id: string, offset: number) => stored(toMessage(createEvent(id)), offset);
const unreadable = (offset: number) => stored({ key: null, value: Buffer.from('?'), headers: {} }, offset);

function create() {
  const delivered: string[] = [];
  const marked: string[] = [];
  const stopping = new AbortController();
  const deps = {
    group: 'g',
    delivery: {
      deliver: async (events: readonly EventRecord[]) => {
        delivered.push(...events.map(({ id }) => id));
        return new Set<EventRecord>();
      },
    },
    isDeadLetter: () => false,
    addUnreadable: async () => {},
    applied: {
      find: async () => new Set<string>(),
      add: async (_: string, ids: readonly string[]) => void marked.push(...ids),
    },
    logger: { warn: () => {} },
    now: () => new Date(0),
    sleep: async () => stopping.abort(),
  };
  return { deps, delivered, marked, stopping };
}

test('events around an unreadable message are applied and marked', async () => {
  const { deps, delivered, marked, stopping } = create();
  const messages = [eventMessage('1', 0), unreadable(1), eventMessage('2', 2)];
  expect(await applyMessages(deps, messages, source, stopping.signal)).toBe(3);
  expect([delivered, marked]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
});

test('no message is done when the consumer stops before an unreadable one among them is stored', async () => {
  const { deps, delivered, stopping } = create();
  const addUnreadable = () => Promise.reject(new Error('the brokers refuse dead letters'));
  const messages = [eventMessage('1', 0), unreadable(1), eventMessage('2', 2)];
  const done = await applyMessages({ ...deps, addUnreadable }, messages, source, stopping.signal);
  expect([delivered, done]).toEqual([[], 0]);
});

test('while the database is away, applied events wait to be marked, and are not applied again', async () => {
  const { deps, delivered, marked, stopping } = create();
  let failures = 3;
  const add: typeof deps.applied.add = async (group, ids) => {
    if (failures-- > 0) throw new Error('the database is away');
    await deps.applied.add(group, ids);
  };
  const waiting = { ...deps, applied: { ...deps.applied, add }, sleep: async () => {} };
  expect(await applyMessages(waiting, [eventMessage('1', 0)], source, stopping.signal)).toBe(1);
  expect([delivered, marked]).toEqual([['1'], ['1']]);
});

test('applied events are also marked after the consumer has stopped', async () => {
  const { deps, marked, stopping } = create();
  const deliver = async () => {
    stopping.abort();
    return new Set<EventRecord>();
  };
  const stopped = { ...deps, delivery: { deliver } };
  expect(await applyMessages(stopped, [eventMessage('1', 0)], source, stopping.signal)).toBe(1);
  expect(marked).toEqual(['1']);
});

test('events of a repeatable topic are delivered each time, and neither looked up nor marked', async () => {
  const { deps, delivered, marked, stopping } = create();
  const find = jest.fn(deps.applied.find);
  const repeatable = { ...deps, applied: { ...deps.applied, find }, repeatable: [source.topic] };
  for (const offset of [0, 1])
    expect(await applyMessages(repeatable, [eventMessage('1', offset)], source, stopping.signal)).toBe(1);
  expect([delivered, marked]).toEqual([['1', '1'], []]);
  expect(find).not.toHaveBeenCalled();
});

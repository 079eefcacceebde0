import { createEvent } from '../../../../testing/event-collector.ts';
import { createDeadLetterLog } from './dead-letter-log.ts';
import type { KafkaMessage } from './kafka-client.ts';
import { toDeadLetter, toDeadLetterMessage } from './kafka-dead-letters.ts';
import { createKafkaNames } from './kafka-names.ts';
import type { TopicMessage } from './kafka-publisher.ts';

const names = createKafkaNames('test.');

/** A topic of dead letters: the broker keeps the latest message of each key. */
function create() {
  let messages: KafkaMessage[] = [];
  const published: string[] = [];
  /** What the group does with an event that is published again. */
  const group = { onEvent: (_id: string) => {} };
  const store = ({ key = null, value, headers = {} }: TopicMessage['message']) => {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    const message = { key: key && Buffer.from(key), value: bytes, headers, timestamp: '0', attributes: 0 };
    messages.push({ ...message, offset: String(messages.length) } as KafkaMessage);
  };
  const fail = (id: string, failedAt = new Date('2026-03-01')) =>
    store(
      toDeadLetterMessage(toDeadLetter({ event: createEvent(id), error: 'broken', attempts: 6 }, failedAt)),
    );
  const compact = () => {
    const latest = new Map(messages.map((message) => [message.key?.toString(), message]));
    messages = messages.filter((message) => latest.get(message.key?.toString()) === message);
  };
  const log = createDeadLetterLog({
    group: 'g',
    names,
    read: async (onMessage) => messages.forEach(onMessage),
    async send(sent) {
      for (const { topic, message } of sent) {
        if (topic === names.deadLetters('g')) {
          store(message);
          continue;
        }
        const id = message.headers?.id as string;
        published.push(id);
        group.onEvent(id);
      }
    },
  });
  const ids = async () => (await log.list()).map(({ id }) => id);
  return { log, ids, fail, compact, group, published, messages: () => messages };
}

test('an event that fails again before its letter is removed stays in the list', async () => {
  const { log, fail, compact, group, published } = create();
  for (const id of ['1', '2', '3']) fail(id);
  group.onEvent = (id) => id === '2' && fail(id, new Date('2026-03-02'));
  expect(await log.replay(await log.list())).toBe(3);
  expect(published).toEqual(['1', '2', '3']);
  compact();
  expect(await log.list()).toMatchObject([{ id: '2', failedAt: new Date('2026-03-02') }]);
});

test('an event that failed more than once is listed and replayed once, and leaves the list', async () => {
  const { log, ids, fail, compact, published } = create();
  for (const id of ['1', '1', '2']) fail(id);
  expect(await ids()).toEqual(['1', '2']);
  expect(await log.replay(await log.list())).toBe(2);
  compact();
  expect([published, await ids()]).toEqual([['1', '2'], []]);
});

test('letters that were removed before hide no later ones, also before the topic is compacted', async () => {
  const { log, ids, fail, published } = create();
  for (let id = 0; id < 1500; id++) fail(String(id));
  expect(await log.replay((await log.list()).slice(0, 1200))).toBe(1200);
  expect(await ids()).toHaveLength(300);
  expect(await log.replay(await log.list())).toBe(300);
  expect(published).toEqual(Array.from({ length: 1500 }, (_, id) => String(id)));
});

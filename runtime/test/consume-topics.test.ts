import { GetStatusReply, PartStatus } from '@shelfwise/proto/runtime/v1/status';
import { type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import { createRecordingBus } from '../../testing/recording-bus.ts';
import { consumeTopics, type TopicHandlers } from '../src/events/consume-topics.ts';

const [partChecked, allChecked] = Object.keys(topics) as [Topic, Topic];
/** Two topics carry messages of the contract of this workspace during a test. */
beforeEach(() => {
  jest.replaceProperty(topics, partChecked, PartStatus as never);
  jest.replaceProperty(topics, allChecked, GetStatusReply as never);
});
/** The declared messages are those of the replaced topics. */
const asMessage = (message: object) => message as TopicMessages[Topic];

const at = new Date('2026-03-10T09:00:00Z');
const part = { name: 'a', state: 'OK', detail: 'fine', is_embedded: true, pause: null };

test('each decoded message goes to the handler of its topic, with event id and request id', async () => {
  const bus = createRecordingBus();
  const onPart = jest.fn(async () => {});
  const onAll = jest.fn(async () => {});
  const handlers: TopicHandlers = { [partChecked]: onPart, [allChecked]: onAll };
  await consumeTopics(bus, 'readers', handlers);
  const given = { id: 'event-1', at, requestId: 'request-1' };
  await bus.deliver(partChecked, '7', asMessage(part), given);
  expect(onPart.mock.calls).toEqual([[part, expect.objectContaining(given)]]);
  expect(onAll).not.toHaveBeenCalled();
  await bus.deliver(allChecked, '3', asMessage({ parts: [part] }));
  expect(onAll.mock.calls).toEqual([[{ parts: [part] }, expect.anything()]]);
});

test('messages that wait together go to the batch handler of their topic in one call, or alone', async () => {
  const bus = createRecordingBus();
  const subscribe = jest.spyOn(bus, 'subscribe');
  const onParts = jest.fn(async () => {});
  await consumeTopics(bus, 'readers', {}, { [partChecked]: onParts });
  const event = await bus.deliver(partChecked, '7', asMessage(part));
  expect(onParts.mock.calls).toEqual([[[part], [event]]]);
  const { signal } = new AbortController();
  await subscribe.mock.calls[0]?.[0].batchHandlers?.get(partChecked)?.([event, event], signal);
  expect(onParts.mock.calls[1]).toEqual([
    [part, part],
    [event, event],
  ]);
});

test('a message that fails to decode or to be handled is rejected, so that the bus redelivers it', async () => {
  const bus = createRecordingBus();
  const onPart = async () => {
    throw new Error('not now');
  };
  await consumeTopics(bus, 'readers', { [partChecked]: onPart });
  await expect(bus.deliver(partChecked, '7', asMessage(part))).rejects.toThrow('not now');
  const broken = { id: 'event-2', topic: partChecked, key: '7', payload: Uint8Array.of(0xff), at };
  await expect(bus.redeliver(broken)).rejects.toThrow();
});

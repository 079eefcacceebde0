import { createRecordingBus } from '../../testing/recording-bus.ts';
import { consumeTopics } from '../src/events/consume-topics.ts';

const at = new Date('2026-03-10T09:00:00Z');
const app = { account_id: 'ann', id: 7, at };
const keyword = { account_id: 'ann', keyword_id: 3, app_id: 7, at };

test('each decoded message goes to the handler of its topic, with event id and request id', async () => {
  const bus = createRecordingBus();
  const onApp = jest.fn(async () => {});
  const onKeyword = jest.fn(async () => {});
  await consumeTopics(bus, 'readers', {
    'tracking.application-untracked.v1': onApp,
    'tracking.keyword-untracked.v1': onKeyword,
  });
  const given = { id: 'event-1', at, requestId: 'request-1' };
  await bus.deliver('tracking.application-untracked.v1', '7', app, given);
  expect(onApp.mock.calls).toEqual([[app, expect.objectContaining(given)]]);
  expect(onKeyword).not.toHaveBeenCalled();
  await bus.deliver('tracking.keyword-untracked.v1', '3', keyword);
  expect(onKeyword.mock.calls).toEqual([[keyword, expect.anything()]]);
});

test('a message that fails to decode or to be handled is rejected, so that the bus redelivers it', async () => {
  const bus = createRecordingBus();
  await consumeTopics(bus, 'readers', {
    'tracking.application-untracked.v1': async () => {
      throw new Error('not now');
    },
  });
  const topic = 'tracking.application-untracked.v1';
  await expect(bus.deliver(topic, '7', app)).rejects.toThrow('not now');
  const broken = { id: 'event-2', topic, key: '7', payload: Uint8Array.of(0xff), at };
  await expect(bus.redeliver(broken)).rejects.toThrow();
});

import { createRecordingBus, messagesOf } from './recording-bus.ts';

const topic = 'tracking.application-untracked.v1';
const message = { account_id: 'ann', id: 7, at: new Date('2026-03-10T09:00:00Z') };

test('subscribers of a topic receive delivered and redelivered events', async () => {
  const bus = createRecordingBus();
  const onEvent = jest.fn(async () => {});
  const onOther = jest.fn(async () => {});
  await bus.subscribe({ group: 'readers', topics: [topic], onEvent });
  await bus.subscribe({ group: 'others', topics: ['tracking.keyword-tracked.v1'], onEvent: onOther });
  const event = await bus.deliver(topic, 'ann', message, { requestId: 'request-1' });
  await bus.redeliver(event);
  expect(event).toMatchObject({ topic, key: 'ann', requestId: 'request-1' });
  expect(onEvent.mock.calls).toEqual([[event], [event]]);
  expect(messagesOf([event], topic)).toEqual([message]);
  expect(onOther).not.toHaveBeenCalled();
});

test('a delivery fails the test if the topic has no subscription or if the subscriber fails', async () => {
  const bus = createRecordingBus();
  await expect(bus.deliver(topic, 'ann', message)).rejects.toThrow(`no subscription to ${topic}`);
  const onEvent = async () => {
    throw new Error('cannot be applied');
  };
  await bus.subscribe({ group: 'readers', topics: [topic], onEvent });
  await expect(bus.deliver(topic, 'ann', message)).rejects.toThrow('cannot be applied');
});

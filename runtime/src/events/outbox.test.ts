import { type Topic, topics } from '@shelfwise/proto/topics';
import { AppError } from '../errors.ts';
import { maxEventBytes, newEvent } from './outbox.ts';

const [topic] = Object.keys(topics) as [Topic];
const context = { at: new Date(0), requestId: 'r' };

/** An event whose message has this many bytes. */
function newEventOf(bytes: number) {
  jest.spyOn(topics[topic], 'encode').mockReturnValueOnce({ finish: () => new Uint8Array(bytes) } as never);
  return newEvent(topic, '1', {} as never, context);
}

test('a change whose event would be too large for the brokers is refused, with the sizes', () => {
  expect(newEventOf(maxEventBytes).stored.payload).toHaveLength(maxEventBytes);
  expect(() => newEventOf(maxEventBytes + 1)).toThrow(AppError);
  expect(() => newEventOf(maxEventBytes + 1)).toThrow(`${topic} would have 1000001 bytes, more than 1000000`);
});

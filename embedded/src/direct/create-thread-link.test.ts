import { BSON } from '../semantics/bson.ts';
import { opCodes } from '../wire/parse-request.ts';
import { createThreadLink } from './create-thread-link.ts';
import { LinkClosed } from './link.ts';
import { bodyStart } from './run-commands.ts';
import type { ThreadRequest } from './thread-messages.ts';

/** An OP_MSG, with bytes of no meaning after it. */
function messageOf(command: object, moreBytes = 0): Buffer {
  const body = BSON.serialize(command);
  const message = Buffer.alloc(bodyStart + body.length + moreBytes);
  message.writeInt32LE(opCodes.msg, 12);
  message.set(body, bodyStart);
  return message;
}

const insert = (moreBytes = 0) => messageOf({ insert: 'c', $db: 'd' }, moreBytes);
const reply = new Uint8Array([1]);

/** A link whose thread keeps what it gets, and whose reader leaves everything to it. */
function createLink() {
  const posted: ThreadRequest[] = [];
  const reads: unknown[] = [];
  const link = createThreadLink({
    post: (request) => posted.push(request),
    openReader: () => ({
      run(request) {
        reads.push(request);
        return undefined;
      },
      close: async () => {},
    }),
  });
  const client = {};
  return {
    ...link,
    client,
    posted,
    reads,
    sendAll: (messages: readonly Buffer[]) =>
      Promise.allSettled(messages.map((message) => link.send(message, client))),
    /** The thread answers its oldest commands. */
    answer(count: number) {
      for (const request of posted.splice(0, count))
        if (request.kind === 'send') link.onReply({ id: request.id, reply });
    },
  };
}

test('a read that would hold this thread for long is sent to the other one', async () => {
  const { send, client, reads, posted, answer } = createLink();
  const answered = send(messageOf({ find: 'c', filter: {}, $db: 'd' }), client);
  expect(reads).toMatchObject([{ find: 'c' }]);
  expect(posted).toHaveLength(1);
  answer(1);
  expect(await answered).toEqual(Buffer.from([1]));
});

test('a read in a large message is sent to the other thread without being decoded here', async () => {
  const { send, client, reads, posted, answer } = createLink();
  const ids = Array.from({ length: 600 }, (_, at) => `${at}`.padStart(100));
  const answered = send(messageOf({ find: 'c', filter: { _id: { $in: ids } }, $db: 'd' }), client);
  expect([reads.length, posted.length]).toEqual([0, 1]);
  answer(1);
  expect(await answered).toEqual(Buffer.from([1]));
});

test('a read that was tried here is not tried again', async () => {
  const { read, send, client, reads, posted, answer } = createLink();
  const find = { find: 'c', filter: {}, $db: 'd' };
  expect(read(find)).toBeUndefined();
  const answered = send(messageOf(find), client, true);
  expect(reads).toEqual([find]);
  expect(posted).toHaveLength(1);
  answer(1);
  await answered;
});

test('the thread has at most 100 commands; the others follow in their order as it answers', async () => {
  const { sendAll, posted, answer } = createLink();
  const all = sendAll(Array.from({ length: 250 }, () => insert()));
  expect(posted).toHaveLength(100);
  answer(30);
  expect(posted).toHaveLength(100);
  const ids = posted.map((request) => (request.kind === 'send' ? request.id : 0));
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  answer(100);
  answer(100);
  answer(20);
  expect(posted).toHaveLength(0);
  expect((await all).every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('the thread has at most 64 MB of commands, or a single one', async () => {
  const { sendAll, posted, answer } = createLink();
  const all = sendAll([insert(30_000_000), insert(30_000_000), insert(30_000_000), insert(70_000_000)]);
  expect(posted).toHaveLength(2);
  answer(1);
  expect(posted).toHaveLength(2);
  answer(2);
  expect(posted).toHaveLength(1);
  answer(1);
  expect((await all).every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('cursors of a client close after its commands that wait', async () => {
  const { sendAll, closeClient, client, posted, answer } = createLink();
  const all = sendAll(Array.from({ length: 101 }, () => insert()));
  closeClient(client);
  expect(posted.every(({ kind }) => kind === 'send')).toBe(true);
  answer(100);
  expect(posted.map(({ kind }) => kind)).toEqual(['send', 'close-client']);
  answer(1);
  await all;
});

test('when the thread ends, commands in flight and those that wait fail, and further ones are refused', async () => {
  const { sendAll, close, read, send, client, isOpen, posted, answer } = createLink();
  const all = sendAll(Array.from({ length: 150 }, () => insert()));
  await close();
  const outcomes = await all;
  expect(outcomes).toHaveLength(150);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(LinkClosed) });
  expect(isOpen()).toBe(false);
  await expect(send(insert(), client)).rejects.toThrow(LinkClosed);
  expect(() => read({ find: 'c', $db: 'd' })).toThrow(LinkClosed);
  // A late reply changes nothing.
  answer(1);
  expect(posted).toHaveLength(99);
});

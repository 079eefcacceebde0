import type { Readable } from 'node:stream';

/** The limit that `hello` announces. */
const maxMessageBytes = 48_000_000;
const headerBytes = 16;

/** Bytes that violate the protocol. The connection is closed without a reply. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Splits a stream into messages by their length prefix. Reading pauses while a message is handled. */
export async function* readMessages(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    for (
      let length = readNextLength(chunks, bufferedBytes);
      length > 0 && bufferedBytes >= length;
      length = readNextLength(chunks, bufferedBytes)
    ) {
      const buffer = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      const remaining = buffer.subarray(length);
      chunks = remaining.length > 0 ? [remaining] : [];
      bufferedBytes = remaining.length;
      yield buffer.subarray(0, length);
    }
  }
}

/** The length of the next message, or 0 while its header is incomplete. */
function readNextLength(chunks: readonly Buffer[], bufferedBytes: number): number {
  if (bufferedBytes < headerBytes) return 0;
  const [first] = chunks;
  const start = first && first.length >= 4 ? first : Buffer.concat(chunks);
  const length = start.readInt32LE(0);
  if (length < headerBytes || length > maxMessageBytes)
    throw new MalformedMessage(`invalid message length ${length}`);
  return length;
}

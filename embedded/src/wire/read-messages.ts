import type { Readable } from 'node:stream';

/** As we announce it in `hello`. */
const maxMessageBytes = 48_000_000;
const headerBytes = 16;

/** Bytes that are no message of the protocol. There is no answer to them: the connection is closed. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Cuts a stream into messages; each begins with its own length. Nothing is read while the last one is handled. */
export async function* readMessages(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    held += chunk.length;
    for (
      let length = nextLength(chunks, held);
      length > 0 && held >= length;
      length = nextLength(chunks, held)
    ) {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      const rest = all.subarray(length);
      chunks = rest.length > 0 ? [rest] : [];
      held = rest.length;
      yield all.subarray(0, length);
    }
  }
}

/** The length of the message that begins the chunks; 0 while its header is not there. */
function nextLength(chunks: readonly Buffer[], held: number): number {
  if (held < headerBytes) return 0;
  const [first] = chunks;
  const start = first && first.length >= 4 ? first : Buffer.concat(chunks);
  const length = start.readInt32LE(0);
  if (length < headerBytes || length > maxMessageBytes)
    throw new MalformedMessage(`a message of ${length} bytes`);
  return length;
}

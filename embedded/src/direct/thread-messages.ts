/** What the thread of the engine and its parent thread send to each other. */

/** To the parent thread, once the engine accepts connections. */
export type ReadyMessage = { mongodbUri: string };

/** To the thread of the engine. A client is named by a number of the parent thread. */
export type ThreadRequest =
  | { kind: 'stop' }
  | { kind: 'send'; id: number; client: number; message: Uint8Array }
  | { kind: 'close-client'; client: number };

/** To the parent thread. Without `reply` the engine has ended. */
export type ThreadReply = { id: number; reply?: Uint8Array };

/** The bytes in memory of their own: a message takes all memory that a view belongs to. Only a part of some memory is copied. */
export function ownBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/** Copying fewer bytes is cheaper than handing them over. */
const leastHandedOver = 50_000;

/** What a message with these own bytes hands over: it would copy them twice. They are gone then. */
export function handOver({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] {
  return byteLength < leastHandedOver ? [] : [buffer];
}

export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

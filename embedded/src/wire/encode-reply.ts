import { Batch } from '../engine/cursors.ts';
import { type Doc, toBson } from '../semantics/bson.ts';
import { createElement, elementTypes, type Writable, wrapElements } from '../semantics/bson-elements.ts';
import { isDocument } from '../semantics/values.ts';
import { opCodes, type Request } from './parse-request.ts';

/** Encodes the reply in the format of its request. */
export function encodeReply(request: Pick<Request, 'id' | 'kind'>, reply: Doc): Buffer {
  const body = encodeBody(reply);
  return request.kind === 'msg' ? encodeMsg(request.id, body) : encodeQueryReply(request.id, body);
}

/** The pieces of the reply. The documents of a cursor's batch are encoded already, and copied once. */
function encodeBody(reply: Doc): Writable[] {
  const { cursor, ...others } = reply;
  if (!isDocument(cursor)) return [toBson(reply)];
  const encodedCursor = Object.entries(cursor).flatMap(([name, value]): Writable[] =>
    value instanceof Batch
      ? createElement(elementTypes.array, name, [toArray(value)])
      : [encodeFields({ [name]: value })],
  );
  const encoded = createElement(elementTypes.document, 'cursor', wrapElements(encodedCursor));
  return wrapElements([...encoded, encodeFields(others)]);
}

/** A batch as the value of an array: each document after its type and its index. Pieces for each take longer than the bytes. */
function toArray({ docs }: Batch): Writable {
  const length = docs.reduce((sum, doc, index) => sum + 2 + digitsOf(index) + doc.length, 5);
  return {
    length,
    copy(target, start) {
      let at = target.writeInt32LE(length, start);
      for (const [index, doc] of docs.entries()) {
        target[at] = elementTypes.document;
        at += 1 + target.write(String(index), at + 1, 'latin1');
        target[at] = 0;
        at += 1 + doc.copy(target, at + 1);
      }
      target[at] = 0;
    },
  };
}

function digitsOf(index: number): number {
  return String(index).length;
}

/** The elements of a document, without its length and its end. */
function encodeFields(fields: Doc): Buffer {
  return toBson(fields).subarray(4, -1);
}

function encodeMsg(responseTo: number, body: readonly Writable[]): Buffer {
  return concatWithHeader(Buffer.alloc(21), body, responseTo, opCodes.msg);
}

function encodeQueryReply(responseTo: number, body: readonly Writable[]): Buffer {
  const head = Buffer.alloc(36);
  head.writeInt32LE(1, 32);
  return concatWithHeader(head, body, responseTo, opCodes.reply);
}

function concatWithHeader(
  head: Buffer,
  body: readonly Writable[],
  responseTo: number,
  opCode: number,
): Buffer {
  const length = body.reduce((sum, piece) => sum + piece.length, head.length);
  writeHeader(head, length, responseTo, opCode);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of [head, ...body]) {
    piece.copy(bytes, at);
    at += piece.length;
  }
  return bytes;
}

function writeHeader(head: Buffer, length: number, responseTo: number, opCode: number): void {
  head.writeInt32LE(length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opCode, 12);
}

import { Batch } from '../engine/cursors.ts';
import { type Doc, toBson } from '../semantics/bson.ts';
import { createElement, elementTypes, wrapElements } from '../semantics/bson-elements.ts';
import { isDocument } from '../semantics/values.ts';
import { opCodes, type Request } from './parse-request.ts';

/** Encodes the reply in the format of its request. */
export function encodeReply(request: Pick<Request, 'id' | 'kind'>, reply: Doc): Buffer {
  const body = encodeBody(reply);
  return request.kind === 'msg' ? encodeMsg(request.id, body) : encodeQueryReply(request.id, body);
}

/** The pieces of the reply. The documents of a cursor's batch are encoded already. */
function encodeBody(reply: Doc): Buffer[] {
  const { cursor, ...others } = reply;
  if (!isDocument(cursor)) return [toBson(reply)];
  const encodedCursor = Object.entries(cursor).flatMap(([name, value]) =>
    value instanceof Batch
      ? createElement(elementTypes.array, name, [encodeBatch(value)])
      : [encodeFields({ [name]: value })],
  );
  const encoded = createElement(elementTypes.document, 'cursor', wrapElements(encodedCursor));
  return wrapElements([...encoded, encodeFields(others)]);
}

/** Each document after its type and its index: written at once, because pieces for each take longer than the bytes. */
function encodeBatch({ docs }: Batch): Buffer {
  const bytes = Buffer.allocUnsafe(docs.reduce((sum, doc) => sum + doc.length + maxElementHead, 5));
  let at = 4;
  for (const [index, doc] of docs.entries()) {
    bytes[at] = elementTypes.document;
    at += 1 + bytes.write(String(index), at + 1, 'latin1');
    bytes[at] = 0;
    at += 1 + doc.copy(bytes, at + 1);
  }
  bytes[at] = 0;
  bytes.writeInt32LE(at + 1, 0);
  return bytes.subarray(0, at + 1);
}

/** A type, the digits of an index, and a zero. */
const maxElementHead = 12;

/** The elements of a document, without its length and its end. */
function encodeFields(fields: Doc): Buffer {
  return toBson(fields).subarray(4, -1);
}

function encodeMsg(responseTo: number, body: readonly Buffer[]): Buffer {
  return concatWithHeader(Buffer.alloc(21), body, responseTo, opCodes.msg);
}

function encodeQueryReply(responseTo: number, body: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(36);
  head.writeInt32LE(1, 32);
  return concatWithHeader(head, body, responseTo, opCodes.reply);
}

function concatWithHeader(head: Buffer, body: readonly Buffer[], responseTo: number, opCode: number): Buffer {
  const length = body.reduce((sum, piece) => sum + piece.length, head.length);
  writeHeader(head, length, responseTo, opCode);
  return Buffer.concat([head, ...body], length);
}

function writeHeader(head: Buffer, length: number, responseTo: number, opCode: number): void {
  head.writeInt32LE(length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opCode, 12);
}

import { type Doc, toBson } from '../semantics/bson.ts';
import { opCodes, type Request } from './parse-request.ts';

/** Encodes the reply in the format of its request. */
export function encodeReply(request: Pick<Request, 'id' | 'kind'>, reply: Doc): Buffer {
  const body = toBson(reply);
  return request.kind === 'msg' ? encodeMsg(request.id, body) : encodeQueryReply(request.id, body);
}

function encodeMsg(responseTo: number, body: Buffer): Buffer {
  const head = Buffer.alloc(21);
  writeHeader(head, head.length + body.length, responseTo, opCodes.msg);
  return Buffer.concat([head, body]);
}

function encodeQueryReply(responseTo: number, body: Buffer): Buffer {
  const head = Buffer.alloc(36);
  writeHeader(head, head.length + body.length, responseTo, opCodes.reply);
  head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

function writeHeader(head: Buffer, length: number, responseTo: number, opCode: number): void {
  head.writeInt32LE(length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opCode, 12);
}

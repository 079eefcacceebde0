import { type Doc, fromBson } from '../semantics/bson.ts';
import { MalformedMessage } from './read-messages.ts';

export const opCodes = { reply: 1, query: 2004, msg: 2013 } as const;

/** The flag bits of OP_MSG. A checksum is not verified; `moreToCome` means that the client expects no reply. */
const checksumPresent = 1;
const moreToCome = 2;
const exhaustAllowed = 1 << 16;
/** Document sequences that a command may send outside of its body. */
const sequenceNames = new Set(['documents', 'updates', 'deletes']);

export type Request = {
  /** Chosen by the client. The reply repeats it. */
  id: number;
  kind: 'msg' | 'query';
  command: Doc;
  expectsReply: boolean;
};

/**
 * Parses OP_MSG, or OP_QUERY, which drivers use for the handshake. The header takes 16 bytes: length, id, the id that a
 * reply answers, opcode. Throws MalformedMessage only.
 */
export function parseRequest(message: Buffer): Request {
  try {
    const id = message.readInt32LE(4);
    const opCode = message.readInt32LE(12);
    if (opCode === opCodes.msg) return { id, kind: 'msg', ...parseMsg(message) };
    if (opCode === opCodes.query)
      return { id, kind: 'query', command: parseQuery(message), expectsReply: true };
    throw new MalformedMessage(`unknown opcode ${opCode}`);
  } catch (error) {
    // Reading past the end, broken BSON and unbounded nesting throw errors of other types.
    throw error instanceof MalformedMessage ? error : new MalformedMessage('unreadable', { cause: error });
  }
}

/** After the header: 4 bytes of flags, then sections. Kind 0 is the body, kind 1 a document sequence. */
function parseMsg(message: Buffer): { command: Doc; expectsReply: boolean } {
  const flags = message.readUInt32LE(16);
  if ((flags & ~(checksumPresent | moreToCome | exhaustAllowed)) !== 0)
    throw new MalformedMessage('unknown flags');
  const end = flags & checksumPresent ? message.length - 4 : message.length;
  let command: Doc | undefined;
  const sequences: Doc = {};
  for (let offset = 20; offset < end; ) {
    const kind = message.readUInt8(offset);
    const section = readSized(message.subarray(offset + 1, end));
    if (kind === 0 && !command) command = fromBson(section);
    else if (kind === 1) addSequence(sequences, section);
    else throw new MalformedMessage(`unknown section kind ${kind}`);
    offset += 1 + section.length;
  }
  if (!command) throw new MalformedMessage('no command');
  return { command: { ...command, ...sequences }, expectsReply: (flags & moreToCome) === 0 };
}

/** A sequence is its length, a name that ends with a zero byte, then documents. */
function addSequence(sequences: Doc, section: Buffer): void {
  const nameEnd = section.indexOf(0, 4);
  const name = section.toString('utf8', 4, nameEnd);
  if (nameEnd < 0 || !sequenceNames.has(name) || name in sequences)
    throw new MalformedMessage('invalid document sequence');
  const docs: Doc[] = [];
  for (let offset = nameEnd + 1; offset < section.length; ) {
    const bytes = readSized(section.subarray(offset));
    docs.push(fromBson(bytes));
    offset += bytes.length;
  }
  sequences[name] = docs;
}

/** After the header: 4 bytes of flags, the namespace, 8 bytes of paging, the command. */
function parseQuery(message: Buffer): Doc {
  const nameEnd = message.indexOf(0, 20);
  if (nameEnd < 0) throw new MalformedMessage('a query without a namespace');
  const [db = ''] = message.toString('utf8', 20, nameEnd).split('.$cmd');
  return { ...fromBson(readSized(message.subarray(nameEnd + 9))), $db: db };
}

/** Cuts the bytes to the length that they start with. The shortest BSON document has 5 bytes. */
function readSized(bytes: Buffer): Buffer {
  const length = bytes.readInt32LE(0);
  if (length < 5 || length > bytes.length) throw new MalformedMessage(`invalid length ${length}`);
  return bytes.subarray(0, length);
}

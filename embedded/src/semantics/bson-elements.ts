import { BSON } from './bson.ts';

/** The types of elements that contain others. */
export const elementTypes = { document: 3, array: 4 } as const;

/** A field of an encoded document. `bytes` are the whole element: its type, its name and its `value`. */
export type Element = { type: number; name: string; bytes: Buffer; value: Buffer };

/** The fields of an encoded document, in its order. Their values are not decoded. */
export function readElements(doc: Buffer): Element[] {
  return Array.from(
    BSON.onDemand.parseToElements(doc),
    ([type, nameStart, nameLength, valueStart, valueLength]) => ({
      type,
      name: doc.toString('utf8', nameStart, nameStart + nameLength),
      bytes: doc.subarray(nameStart - 1, valueStart + valueLength),
      value: doc.subarray(valueStart, valueStart + valueLength),
    }),
  );
}

/** The pieces of an element whose value is encoded. */
export function createElement(type: number, name: string, value: readonly Buffer[]): Buffer[] {
  return [Buffer.from(`${String.fromCharCode(type)}${name}\0`), ...value];
}

/** The pieces of a document of encoded elements. They are copied once, when the caller concatenates them. */
export function wrapElements(pieces: readonly Buffer[]): Buffer[] {
  const length = Buffer.allocUnsafe(4);
  length.writeInt32LE(
    pieces.reduce((sum, piece) => sum + piece.length, length.length + documentEnd.length),
    0,
  );
  return [length, ...pieces, documentEnd];
}

const documentEnd = Buffer.from([0]);

/** The types of elements that contain others. */
export const elementTypes = { document: 3, array: 4 } as const;

/** The bytes of values of a fixed size, by the type that BSON gives them. */
const fixedSizes: Readonly<Record<number, number>> = {
  1: 8,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
};
/** The bytes besides those that a value counts in its first four: of a text, a document, an array, and a binary. */
const uncounted: Readonly<Record<number, number>> = { 2: 4, 3: 0, 4: 0, 5: 5 };

/** Where a field is in an encoded document: its type, its name, and its value, which ends at `to`. */
export type Element = { type: number; nameAt: number; nameLength: number; valueAt: number; to: number };

/**
 * The fields of the encoded document at `start`, in its order. Neither names nor values are decoded, and nothing is read before it
 * is asked for.
 */
export function* readElements(bytes: Buffer, start: number): Generator<Element> {
  const end = elementsEnd(bytes, start);
  for (let at = start + 4; at < end; ) {
    const element = elementAt(bytes, at, end);
    yield element;
    at = element.to;
  }
}

/** Where the elements of the document at `start` end. The first one is at `start + 4`. */
export function elementsEnd(bytes: Buffer, start: number): number {
  return start + bytes.readInt32LE(start) - 1;
}

/** The element at `at`, for loops over thousands of documents, where a generator takes longer than the elements. */
export function elementAt(bytes: Buffer, at: number, end: number): Element {
  const type = bytes.readUInt8(at);
  const nameAt = at + 1;
  let nameEnd = nameAt;
  while (bytes[nameEnd] !== 0 && nameEnd < end) nameEnd += 1;
  const valueAt = nameEnd + 1;
  const to = valueAt + sizeOf(bytes, type, valueAt);
  if (to < valueAt || to > end) throw new Error('an encoded document ends within a value');
  return { type, nameAt, nameLength: nameEnd - nameAt, valueAt, to };
}

/** The field of that name in the document at `start`. */
export function findElement(bytes: Buffer, start: number, name: Buffer): Element | undefined {
  const end = elementsEnd(bytes, start);
  for (let at = start + 4; at < end; ) {
    const element = elementAt(bytes, at, end);
    if (hasName(bytes, element, name)) return element;
    at = element.to;
  }
  return undefined;
}

function sizeOf(bytes: Buffer, type: number, at: number): number {
  const fixed = fixedSizes[type];
  if (fixed !== undefined) return fixed;
  const more = uncounted[type];
  if (more === undefined) throw new Error(`an encoded document holds a value of type ${type}`);
  return more + bytes.readInt32LE(at);
}

export function nameOf(bytes: Buffer, { nameAt, nameLength }: Element): string {
  return bytes.toString('utf8', nameAt, nameAt + nameLength);
}

/** The whole element: its type, its name and its value. */
export function bytesOf(bytes: Buffer, { nameAt, to }: Element): Buffer {
  return bytes.subarray(nameAt - 1, to);
}

export function hasName(bytes: Buffer, { nameAt, nameLength }: Element, name: Buffer): boolean {
  if (nameLength !== name.length) return false;
  for (let at = 0; at < nameLength; at += 1) if (bytes[nameAt + at] !== name[at]) return false;
  return true;
}

/** Collects the elements of a new document from those of `bytes`. Neighbors that are kept become one piece. */
export function collectPieces(bytes: Buffer) {
  const pieces: Buffer[] = [];
  let [from, to] = [0, 0];
  const flush = () => {
    if (to > from) pieces.push(bytes.subarray(from, to));
    from = to;
  };
  return {
    keep({ nameAt, to: end }: Element): void {
      const at = nameAt - 1;
      if (at !== to) {
        flush();
        from = at;
      }
      to = end;
    },
    /** Adds an element that is encoded elsewhere. */
    add(element: Buffer): void {
      flush();
      pieces.push(element);
    },
    /** Keeps the type and the name. */
    replace({ nameAt, nameLength }: Element, value: readonly Buffer[]): void {
      flush();
      pieces.push(bytes.subarray(nameAt - 1, nameAt + nameLength + 1), ...value);
    },
    end(): Buffer[] {
      flush();
      return pieces;
    },
  };
}

/** Bytes that are written later. */
export type Writable = {
  length: number;
  /** Writes all of them from `at` on. */
  copy(target: Buffer, at: number): void;
};

/** The pieces of an element whose value is encoded. */
export function createElement<Piece extends Writable>(
  type: number,
  name: string,
  value: readonly Piece[],
): (Piece | Buffer)[] {
  return [Buffer.from(`${String.fromCharCode(type)}${name}\0`), ...value];
}

/** The pieces of a document of encoded elements. They are copied once, when the caller concatenates them. */
export function wrapElements<Piece extends Writable>(pieces: readonly Piece[]): (Piece | Buffer)[] {
  const length = Buffer.allocUnsafe(4);
  length.writeInt32LE(
    pieces.reduce((sum, piece) => sum + piece.length, length.length + documentEnd.length),
    0,
  );
  return [length, ...pieces, documentEnd];
}

const documentEnd = Buffer.from([0]);

import { type Model, mongo } from 'mongoose';
import { createTextList } from './text-list.ts';

const { BSON } = mongo;
const elementTypes = { document: 3, array: 4 } as const;

/**
 * Finds documents, decoded except for one array of texts, which becomes a `TextList`: creating 100 texts costs more
 * than the rest of its document, and a search needs few of them. A document without the array stays as it is. The query
 * is not cast, and no plugin applies.
 *
 * @param path the field names that lead to the array
 */
export function findWithTexts<Document extends object>(
  { collection }: Pick<Model<unknown>, 'collection'>,
  filter: object,
  options: { path: readonly string[]; batchSize: number; projection?: Record<string, 0 | 1> },
) {
  const { path, ...findOptions } = options;
  return collection
    .find(filter, { ...findOptions, raw: true })
    .map((bytes) => decodeWithTexts<Document>(toBuffer(bytes as unknown as Uint8Array), path));
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function decodeWithTexts<Document extends object>(bytes: Buffer, path: readonly string[]): Document {
  const found = locate(bytes, path);
  if (!found) return BSON.deserialize(bytes) as Document;
  const { from, to, lengthsAt } = found;
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  for (const at of lengthsAt) rest.writeInt32LE(rest.readInt32LE(at) - (to - from), at);
  const document = BSON.deserialize(rest);
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>(
    // `locate` has passed through these documents.
    (outer, name) => outer[name] as Record<string, unknown>,
    document,
  );
  parent[path.at(-1) ?? ''] = createTextList(found.array);
  return document as Document;
}

/** The array, where its element starts and ends, and where the lengths of the documents around it are. */
function locate(bytes: Buffer, path: readonly string[]) {
  const lengthsAt: number[] = [];
  let start = 0;
  for (const [depth, name] of path.entries()) {
    const element = findElement(bytes, start, name);
    if (!element) return null;
    lengthsAt.push(start);
    if (depth === path.length - 1) {
      if (element.type !== elementTypes.array) return null;
      return { ...element, array: bytes.subarray(element.valueAt, element.to), lengthsAt };
    }
    if (element.type !== elementTypes.document) return null;
    start = element.valueAt;
  }
  return null;
}

function findElement(bytes: Buffer, start: number, name: string) {
  for (const [type, nameAt, nameLength, valueAt, length] of BSON.onDemand.parseToElements(bytes, start))
    if (nameLength === name.length && bytes.toString('latin1', nameAt, nameAt + nameLength) === name)
      return { type, from: nameAt - 1, valueAt, to: valueAt + length };
  return null;
}

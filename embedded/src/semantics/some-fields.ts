import { type Doc, fromBson, toBson } from './bson.ts';
import { bytesOf, collectPieces, hasName, nameOf, readElements, wrapElements } from './bson-elements.ts';
import { type Filter, getBranches } from './check-filter.ts';
import type { FieldChange } from './check-update.ts';

/** Names of fields at the top of a document. */
export type FieldNames = ReadonlySet<string>;

/** Decoding a document of this size takes no longer than finding its fields. */
const smallBytes = 300;

/**
 * The given fields of an encoded document, without decoding the others. Of a small document, all fields; see
 * `encodeFields`.
 */
export function decodeFields(bytes: Buffer, names: FieldNames): Doc {
  return createFieldDecoder(names)(bytes);
}

/** `decodeFields` of many documents: names are compared encoded. */
export function createFieldDecoder(names: FieldNames): (bytes: Buffer) => Doc {
  const encodedNames = [...names].map((name) => Buffer.from(name));
  return (bytes) => {
    if (bytes.length <= smallBytes) return fromBson(bytes);
    const pieces = collectPieces(bytes);
    let left = encodedNames.length;
    for (const element of readElements(bytes, 0)) {
      if (!encodedNames.some((name) => hasName(bytes, element, name))) continue;
      pieces.keep(element);
      left -= 1;
      if (left === 0) break;
    }
    return fromBson(Buffer.concat(wrapElements(pieces.end())));
  };
}

/**
 * An encoded document with the given fields as `doc` has them: changed, removed, or added at the end. The others are
 * copied. `doc` comes from `decodeFields` of the same bytes.
 */
export function encodeFields(bytes: Buffer, names: FieldNames, doc: Doc): Buffer {
  if (bytes.length <= smallBytes) return toBson(doc);
  const encoded = toBson(doc);
  const byName = new Map<string, Buffer>();
  for (const element of readElements(encoded, 0)) {
    const name = nameOf(encoded, element);
    if (names.has(name)) byName.set(name, bytesOf(encoded, element));
  }
  const pieces = collectPieces(bytes);
  for (const element of readElements(bytes, 0)) {
    const name = nameOf(bytes, element);
    const changed = byName.get(name);
    if (!names.has(name)) pieces.keep(element);
    else if (changed) pieces.add(changed);
    byName.delete(name);
  }
  return Buffer.concat(wrapElements([...pieces.end(), ...byName.values()]));
}

export function namesInFilter(filter: Filter): string[] {
  return Object.keys(filter).flatMap((field) =>
    field === '$or' ? getBranches(filter).flatMap(namesInFilter) : nameInPath(field),
  );
}

export function namesInChanges(changes: readonly FieldChange[]): string[] {
  return changes.map(([, path]) => nameInPath(path));
}

/** The field at the top of the document that a path leads into. */
export function nameInPath(path: string): string {
  const end = path.indexOf('.');
  return end === -1 ? path : path.slice(0, end);
}

import {
  collectPieces,
  type Element,
  elementAt,
  elementsEnd,
  elementTypes,
  hasName,
  readElements,
  wrapElements,
} from './bson-elements.ts';
import { checkPath } from './check-filter.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { isDocument } from './values.ts';

/** The projected fields as a tree. `true` means the whole field. */
type FieldTree = Map<string, FieldTree | true>;

/** The same with encoded names, as documents have them: no name is decoded. */
type Fields = readonly { name: Buffer; inside: Fields | true }[];

/** In bytes. Projected documents are written one after the other: of thousands, to allocate each takes longer than to write it. */
const mostRoom = 65_536;

/** Copies the projected fields of an encoded document, without decoding values. */
export type Projector = (doc: Buffer) => Buffer;

/**
 * Compiles a projection that includes or excludes fields. `_id` is included unless it is excluded by name. Undefined
 * means that the projection is absent or empty, so that documents stay whole.
 */
export function createProjector(projection: unknown): Projector | undefined {
  if (projection === undefined) return undefined;
  if (!isDocument(projection)) throw badValue('a projection must be a document');
  const fields = Object.entries(projection).map(([path, value]) => [path, isIncluded(path, value)] as const);
  if (fields.length === 0) return undefined;
  const otherFields = fields.filter(([path]) => path !== '_id');
  const isInclusion = (otherFields.length > 0 ? otherFields : fields).every(([, included]) => included);
  if (otherFields.some(([, included]) => included !== isInclusion)) {
    throw new CommandError(31254, 'Location31254', 'a projection cannot both include and exclude fields');
  }
  const isIdIncluded = fields.find(([path]) => path === '_id')?.[1] ?? true;
  const paths = otherFields.map(([path]) => path);
  if (isInclusion ? isIdIncluded : !isIdIncluded) paths.push('_id');
  const tree = encodeNames(createTree(paths));
  if (!isInclusion) return (doc) => Buffer.concat(exclude(doc, 0, tree));
  let room = Buffer.alloc(0);
  let used = 0;
  return (doc) => {
    // What is included is never longer.
    if (room.length - used < doc.length) {
      room = Buffer.allocUnsafeSlow(Math.max(doc.length, Math.min(2 * room.length, mostRoom)));
      used = 0;
    }
    const from = used;
    used = include(doc, 0, tree, { bytes: room, at: from });
    return room.subarray(from, used);
  };
}

function isIncluded(path: string, value: unknown): boolean {
  checkPath(path);
  if (value === 1 || value === true) return true;
  if (value === 0 || value === false) return false;
  throw unsupported(`the projection ${JSON.stringify({ [path]: value })}`);
}

function createTree(paths: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const path of paths) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let node = root;
    for (const part of parts) {
      const next = node.get(part) ?? new Map();
      if (next === true) throw createPathCollisionError(path);
      node.set(part, next);
      node = next;
    }
    if (node.has(last)) throw createPathCollisionError(path);
    node.set(last, true);
  }
  return root;
}

function encodeNames(tree: FieldTree): Fields {
  return [...tree].map(([name, inside]) => ({
    name: Buffer.from(name),
    inside: inside === true ? true : encodeNames(inside),
  }));
}

function createPathCollisionError(path: string): CommandError {
  return new CommandError(31249, 'Location31249', `Path collision at ${path}`);
}

/** Where an encoded value is written. */
type Target = { bytes: Buffer; at: number };

/** Writes the document at `start` with the included fields. Returns where it ends. */
function include(doc: Buffer, start: number, fields: Fields, { bytes, at: from }: Target): number {
  const end = elementsEnd(doc, start);
  let to = from + 4;
  let left = fields.length;
  for (let at = start + 4; at < end && left > 0; ) {
    const element = elementAt(doc, at, end);
    const inside = findInside(doc, element, fields);
    if (inside === true) to += doc.copy(bytes, to, at, element.to);
    else if (inside) {
      const valueEnd = includeInside(doc, element, inside, { bytes, at: to + element.valueAt - at });
      if (valueEnd !== undefined) {
        doc.copy(bytes, to, at, element.valueAt);
        to = valueEnd;
      }
    }
    if (inside) left -= 1;
    at = element.to;
  }
  return endDocument(bytes, from, to);
}

/** The included fields of a document, or of the documents of an array; undefined for other values. */
function includeInside(
  doc: Buffer,
  { type, valueAt }: Element,
  fields: Fields,
  target: Target,
): number | undefined {
  if (type === elementTypes.document) return include(doc, valueAt, fields, target);
  return type === elementTypes.array ? includeInElements(doc, valueAt, fields, target) : undefined;
}

/** The elements of an array are named by their index. */
function includeInElements(doc: Buffer, start: number, fields: Fields, { bytes, at: from }: Target): number {
  let to = from + 4;
  let kept = 0;
  for (const element of readElements(doc, start)) {
    const name = `${String.fromCharCode(element.type)}${kept}\0`;
    const valueEnd = includeInside(doc, element, fields, { bytes, at: to + name.length });
    if (valueEnd === undefined) continue;
    bytes.write(name, to, 'latin1');
    to = valueEnd;
    kept += 1;
  }
  return endDocument(bytes, from, to);
}

/** Writes the length and the end of a document whose elements are written. Returns where it ends. */
function endDocument(bytes: Buffer, from: number, to: number): number {
  bytes[to] = 0;
  bytes.writeInt32LE(to + 1 - from, from);
  return to + 1;
}

/** The pieces of the document at `start` without the excluded fields. */
function exclude(doc: Buffer, start: number, fields: Fields): Buffer[] {
  const pieces = collectPieces(doc);
  for (const element of readElements(doc, start)) {
    const inside = findInside(doc, element, fields);
    const value = inside && inside !== true ? excludeInside(doc, element, inside) : undefined;
    if (value) pieces.replace(element, value);
    else if (inside !== true) pieces.keep(element);
  }
  return wrapElements(pieces.end());
}

/** Undefined for a value that is no document and no array: it stays. */
function excludeInside(doc: Buffer, { type, valueAt }: Element, fields: Fields): Buffer[] | undefined {
  if (type === elementTypes.document) return exclude(doc, valueAt, fields);
  if (type !== elementTypes.array) return undefined;
  const pieces = collectPieces(doc);
  for (const element of readElements(doc, valueAt)) {
    const value = excludeInside(doc, element, fields);
    if (value) pieces.replace(element, value);
    else pieces.keep(element);
  }
  return wrapElements(pieces.end());
}

/** What is projected of this element: all of it, or these fields inside. Undefined when no path leads here. */
function findInside(doc: Buffer, element: Element, fields: Fields): Fields | true | undefined {
  for (const field of fields) if (hasName(doc, element, field.name)) return field.inside;
  return undefined;
}

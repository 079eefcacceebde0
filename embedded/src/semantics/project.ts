import { createElement, type Element, elementTypes, readElements, wrapElements } from './bson-elements.ts';
import { checkPath } from './check-filter.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { isDocument } from './values.ts';

/** The projected fields as a tree. `true` means the whole field. */
type FieldTree = Map<string, FieldTree | true>;

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
  const tree = createTree(paths);
  const project = isInclusion ? include : exclude;
  return (doc) => Buffer.concat(project(doc, tree));
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

function createPathCollisionError(path: string): CommandError {
  return new CommandError(31249, 'Location31249', `Path collision at ${path}`);
}

/** The pieces of the document with the included fields. */
function include(doc: Buffer, tree: FieldTree): Buffer[] {
  return wrapElements(
    readElements(doc).flatMap((element) => {
      const node = tree.get(element.name);
      if (node === undefined) return [];
      if (node === true) return [element.bytes];
      const value = includeInside(element, node);
      return value ? createElement(element.type, element.name, value) : [];
    }),
  );
}

/** The included fields of a document, or of the documents of an array; undefined for other values. */
function includeInside({ type, value }: Element, tree: FieldTree): Buffer[] | undefined {
  if (type === elementTypes.document) return include(value, tree);
  return type === elementTypes.array ? includeInElements(value, tree) : undefined;
}

/** The elements of an array are named by their place. */
function includeInElements(array: Buffer, tree: FieldTree): Buffer[] {
  const kept = readElements(array).flatMap((element) => {
    const value = includeInside(element, tree);
    return value ? [{ type: element.type, value }] : [];
  });
  return wrapElements(kept.flatMap(({ type, value }, place) => createElement(type, String(place), value)));
}

/** The pieces of the document without the excluded fields. */
function exclude(doc: Buffer, tree: FieldTree): Buffer[] {
  return wrapElements(
    readElements(doc).flatMap((element) => {
      const node = tree.get(element.name);
      if (node === undefined) return [element.bytes];
      return node === true ? [] : excludeInside(element, node);
    }),
  );
}

function excludeInside({ type, name, bytes, value }: Element, tree: FieldTree): Buffer[] {
  if (type === elementTypes.document) return createElement(type, name, exclude(value, tree));
  if (type !== elementTypes.array) return [bytes];
  const elements = readElements(value).flatMap((element) => excludeInside(element, tree));
  return createElement(type, name, wrapElements(elements));
}

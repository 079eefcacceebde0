import type { Doc } from './bson.ts';
import { checkPath } from './check-filter.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { isDocument } from './values.ts';

/** The projected fields as a tree. `true` means the whole field. */
type FieldTree = Map<string, FieldTree | true>;

/**
 * Compiles a projection that includes or excludes fields. `_id` is included unless it is excluded by name. Undefined
 * means that the projection is absent or empty, so that documents stay whole.
 */
export function createProjector(projection: unknown): ((doc: Doc) => Doc) | undefined {
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
  return isInclusion ? (doc) => include(doc, tree) : (doc) => exclude(doc, tree);
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

function include(doc: Doc, tree: FieldTree): Doc {
  const result: Doc = {};
  for (const [field, value] of Object.entries(doc)) {
    const node = tree.get(field);
    if (node === true) result[field] = value;
    else if (node && Array.isArray(value)) result[field] = includeElements(value, node);
    else if (node && isDocument(value)) result[field] = include(value, node);
  }
  return result;
}

function includeElements(values: readonly unknown[], tree: FieldTree): unknown[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return [includeElements(value, tree)];
    return isDocument(value) ? [include(value, tree)] : [];
  });
}

function exclude(value: Doc, tree: FieldTree): Doc {
  const result: Doc = {};
  for (const [field, fieldValue] of Object.entries(value)) {
    const node = tree.get(field);
    if (node === undefined) result[field] = fieldValue;
    else if (node !== true) result[field] = excludeInside(fieldValue, node);
  }
  return result;
}

function excludeInside(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((element) => excludeInside(element, tree));
  return isDocument(value) ? exclude(value, tree) : value;
}

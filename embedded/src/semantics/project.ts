import type { Doc } from '../bson.ts';
import { checkPath } from './check-filter.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { isPlain } from './values.ts';

/** Which fields are named, and of which of those only parts are. */
type FieldTree = Map<string, FieldTree | true>;

/** What cuts a document to the fields of a projection; undefined when it asks for all of them. */
export function createProjector(projection: unknown): ((doc: Doc) => Doc) | undefined {
  if (projection === undefined) return undefined;
  if (!isPlain(projection)) throw badValue('a projection must be a document');
  const fields = Object.entries(projection).map(
    ([path, wanted]) => [path, isIncluded(path, wanted)] as const,
  );
  if (fields.length === 0) return undefined;
  const others = fields.filter(([path]) => path !== '_id');
  const keeps = (others.length > 0 ? others : fields).every(([, included]) => included);
  if (others.some(([, included]) => included !== keeps)) {
    throw new CommandError(31254, 'Location31254', 'a projection cannot both include and exclude fields');
  }
  const idIncluded = fields.find(([path]) => path === '_id')?.[1] ?? true;
  const paths = others.map(([path]) => path);
  if (keeps ? idIncluded : !idIncluded) paths.push('_id');
  const tree = createTree(paths);
  return keeps ? (doc) => include(doc, tree) : (doc) => exclude(doc, tree);
}

function isIncluded(path: string, wanted: unknown): boolean {
  checkPath(path);
  if (wanted === 1 || wanted === true) return true;
  if (wanted === 0 || wanted === false) return false;
  throw unsupported(`the projection ${JSON.stringify({ [path]: wanted })}`);
}

function createTree(paths: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const path of paths) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let node = root;
    for (const part of parts) {
      const next = node.get(part) ?? new Map();
      if (next === true) throw pathCollision(path);
      node.set(part, next);
      node = next;
    }
    if (node.has(last)) throw pathCollision(path);
    node.set(last, true);
  }
  return root;
}

function pathCollision(path: string): CommandError {
  return new CommandError(31249, 'Location31249', `Path collision at ${path}`);
}

function include(doc: Doc, tree: FieldTree): Doc {
  const kept: Doc = {};
  for (const [field, value] of Object.entries(doc)) {
    const node = tree.get(field);
    if (node === true) kept[field] = value;
    else if (node && Array.isArray(value)) kept[field] = includeElements(value, node);
    else if (node && isPlain(value)) kept[field] = include(value, node);
  }
  return kept;
}

function includeElements(values: readonly unknown[], tree: FieldTree): unknown[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return [includeElements(value, tree)];
    return isPlain(value) ? [include(value, tree)] : [];
  });
}

function exclude(value: Doc, tree: FieldTree): Doc {
  const kept: Doc = {};
  for (const [field, held] of Object.entries(value)) {
    const node = tree.get(field);
    if (node === undefined) kept[field] = held;
    else if (node !== true) kept[field] = excludeInside(held, node);
  }
  return kept;
}

function excludeInside(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((element) => excludeInside(element, tree));
  return isPlain(value) ? exclude(value, tree) : value;
}

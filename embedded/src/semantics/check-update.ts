import type { Doc } from './bson.ts';
import { checkPath } from './check-filter.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { hasOperators, isDocument } from './values.ts';

/** For example, `{$inc: {n: 1}}` becomes `['$inc', 'n', 1]`. */
export type FieldChange = readonly [operator: string, path: string, operand: unknown];

/** `onInsert` holds the changes of `$setOnInsert`, as `$set`. They apply only if an upsert inserts a document. */
export type Update =
  | { kind: 'replace'; replacement: Doc }
  | { kind: 'change'; changes: readonly FieldChange[]; onInsert: readonly FieldChange[] };

/** The stores use no others. */
const supported = new Set(['$set', '$setOnInsert', '$unset', '$inc', '$min', '$max']);

/** Refuses pipelines, positional paths, unsupported operators and conflicting changes. */
export function checkUpdate(update: unknown): Update {
  if (Array.isArray(update)) throw unsupported('an update pipeline');
  if (!isDocument(update)) throw badValue('an update must be a document');
  if (!hasOperators(update)) return { kind: 'replace', replacement: checkReplacement(update) };
  const allChanges = Object.entries(update).flatMap(([operator, fields]) => readChanges(operator, fields));
  checkConflicts(allChanges);
  return {
    kind: 'change',
    changes: allChanges.filter(([operator]) => operator !== '$setOnInsert'),
    onInsert: allChanges
      .filter(([operator]) => operator === '$setOnInsert')
      .map(([, path, value]) => ['$set', path, value]),
  };
}

function checkReplacement(replacement: Doc): Doc {
  const operator = Object.keys(replacement).find((field) => field.startsWith('$'));
  if (operator !== undefined) throw badValue(`a replacement must not contain '${operator}'`);
  return replacement;
}

function readChanges(operator: string, fields: unknown): FieldChange[] {
  if (!operator.startsWith('$')) throw badValue(`unknown modifier: ${operator}`);
  if (!supported.has(operator)) throw unsupported(operator);
  if (!isDocument(fields)) throw badValue(`${operator} needs a document`);
  return Object.entries(fields).map(([path, operand]) => {
    checkPath(path);
    return [operator, path, operand];
  });
}

/** Refuses two changes of the same path, or of a path and one of its parents: their result is not defined. */
function checkConflicts(changes: readonly FieldChange[]): void {
  const paths = changes.map(([, path]) => path);
  const seen = new Set(paths);
  for (const path of paths) {
    const parents = path.split('.').map((_, index, parts) => parts.slice(0, index).join('.'));
    const conflict = parents.slice(1).find((parent) => seen.has(parent));
    if (conflict !== undefined || paths.indexOf(path) !== paths.lastIndexOf(path)) {
      throw new CommandError(
        40,
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${conflict ?? path}'`,
      );
    }
  }
}

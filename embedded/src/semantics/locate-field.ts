import type { Doc } from './bson.ts';
import { CommandError } from './command-error.ts';
import { isArrayIndex } from './paths.ts';
import { isDocument } from './values.ts';

/** Reads, writes and removes the value at the end of a path, in place. `get` returns undefined if it is missing. */
export type FieldAccessor = { get(): unknown; set(value: unknown): void; remove(): void };

/**
 * Creates missing documents along the path, but not the field itself. Throws PathNotViable if the path passes through a
 * value that can have no such field.
 */
export function locateField(doc: Doc, path: string): FieldAccessor {
  const field = findField(doc, path, true);
  if (!field) throw new Error(`cannot create the field '${path}'`);
  return field;
}

/** Returns undefined if a part of the path before the last one is missing or can have no such field. */
export function locateExistingField(doc: Doc, path: string): FieldAccessor | undefined {
  return findField(doc, path, false);
}

function findField(doc: Doc, path: string, create: boolean): FieldAccessor | undefined {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let parent: unknown = doc;
  for (const part of parts) {
    const field: FieldAccessor | undefined = accessField(parent, part, create);
    if (!field) return undefined;
    if (field.get() === undefined) {
      if (!create) return undefined;
      field.set({});
    }
    parent = field.get();
  }
  return accessField(parent, last, create);
}

function accessField(parent: unknown, part: string, create: boolean): FieldAccessor | undefined {
  if (isDocument(parent)) return accessDocumentField(parent, part);
  if (Array.isArray(parent) && isArrayIndex(part)) return accessArrayElement(parent, Number(part));
  if (!create) return undefined;
  throw new CommandError(28, 'PathNotViable', `Cannot create field '${part}' in ${JSON.stringify(parent)}`);
}

function accessDocumentField(parent: Doc, field: string): FieldAccessor {
  return {
    get: () => (Object.hasOwn(parent, field) ? parent[field] : undefined),
    set: (value) => {
      parent[field] = value;
    },
    remove: () => {
      delete parent[field];
    },
  };
}

/**
 * Removing an element leaves null, as in MongoDB. An element after the next free index is refused; MongoDB would fill
 * the gap with null.
 */
function accessArrayElement(array: unknown[], index: number): FieldAccessor {
  return {
    get: () => array[index],
    set: (value) => {
      if (index > array.length) {
        throw new CommandError(
          28,
          'PathNotViable',
          `the array has no element ${index} and no element before it`,
        );
      }
      array[index] = value;
    },
    remove: () => {
      if (index < array.length) array[index] = null;
    },
  };
}

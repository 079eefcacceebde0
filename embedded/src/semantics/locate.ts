import type { Doc } from '../bson.ts';
import { CommandError } from './command-error.ts';
import { isArrayIndex } from './paths.ts';
import { isPlain } from './values.ts';

/** Where a path ends inside a document: reading, writing and removing the value there. */
export type Place = { get(): unknown; set(value: unknown): void; remove(): void };

/** The place that a path names, with the documents on the way made as needed. */
export function locate(doc: Doc, path: string): Place {
  const place = find(doc, path, true);
  if (!place) throw new Error(`no place for ${path}`);
  return place;
}

/** The place that a path names, when all on the way to it exists. */
export function locateExisting(doc: Doc, path: string): Place | undefined {
  return find(doc, path, false);
}

function find(doc: Doc, path: string, create: boolean): Place | undefined {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let holder: unknown = doc;
  for (const part of parts) {
    const place: Place | undefined = placeIn(holder, part, create);
    if (!place) return undefined;
    if (place.get() === undefined) {
      if (!create) return undefined;
      place.set({});
    }
    holder = place.get();
  }
  return placeIn(holder, last, create);
}

function placeIn(holder: unknown, part: string, create: boolean): Place | undefined {
  if (isPlain(holder)) return placeInDocument(holder, part);
  if (Array.isArray(holder) && isArrayIndex(part)) return placeInArray(holder, Number(part));
  if (!create) return undefined;
  throw new CommandError(28, 'PathNotViable', `Cannot create field '${part}' in ${JSON.stringify(holder)}`);
}

function placeInDocument(holder: Doc, field: string): Place {
  return {
    get: () => (Object.hasOwn(holder, field) ? holder[field] : undefined),
    set: (value) => {
      holder[field] = value;
    },
    remove: () => {
      delete holder[field];
    },
  };
}

/** Removing an element leaves null in its place, as MongoDB does. */
function placeInArray(holder: unknown[], index: number): Place {
  return {
    get: () => holder[index],
    set: (value) => {
      if (index > holder.length) {
        throw new CommandError(28, 'PathNotViable', `the array has no element ${index} and none before it`);
      }
      holder[index] = value;
    },
    remove: () => {
      if (index < holder.length) holder[index] = null;
    },
  };
}

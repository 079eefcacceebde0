import mongoose, { type mongo } from 'mongoose';
import type { Doc } from '../semantics/bson.ts';

type Transform = (doc: Doc) => Doc;

/**
 * A cursor from which most callers only want all documents (`toArray`, after `map` or not). For anything else it opens the
 * cursor of the driver and is that one.
 * @param open opens the cursor of the driver
 * @param readAll reads all documents without the driver; undefined if it cannot
 */
export function createLazyCursor(
  open: () => mongo.FindCursor,
  readAll: () => Promise<Doc[]> | undefined,
): mongo.FindCursor {
  let opened: mongo.FindCursor | undefined;
  let isRead = false;
  const transforms: Transform[] = [];

  function getCursor(): mongo.FindCursor {
    opened ??= transforms.reduce((cursor, transform) => cursor.map(transform) as mongo.FindCursor, open());
    return opened;
  }

  async function toArray(): Promise<Doc[]> {
    // The driver's cursor is at its end after the first call.
    if (isRead) return [];
    if (opened) return opened.toArray() as Promise<Doc[]>;
    const docs = await readAll();
    if (!docs) return getCursor().toArray() as Promise<Doc[]>;
    isRead = true;
    return docs.map((doc) => transforms.reduce((value, transform) => transform(value), doc));
  }

  function map(transform: Transform): mongo.FindCursor {
    if (opened) return opened.map(transform) as mongo.FindCursor;
    transforms.push(transform);
    return cursor;
  }

  const cursor = new Proxy(Object.create(mongoose.mongo.FindCursor.prototype) as mongo.FindCursor, {
    get(target, property) {
      // A caller may have replaced a method.
      if (Object.hasOwn(target, property)) return Reflect.get(target, property);
      if (property === 'toArray') return toArray;
      if (property === 'map') return map;
      // It is not a promise.
      if (property === 'then') return undefined;
      const value = Reflect.get(getCursor(), property);
      return typeof value === 'function' ? value.bind(getCursor()) : value;
    },
  });
  return cursor;
}

import { isDuplicateKey } from './database-errors.ts';

/** Returns false when a unique index refuses the write: another call has created the document. */
export async function tryCreate(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * The result of `update`, or of `create` when there is no document to update (null or false). A document that another call
 * creates at the same time is updated.
 */
export async function updateOrCreate<Result>(
  update: () => Promise<Result | null | false>,
  create: () => Promise<Result>,
): Promise<Result> {
  const updated = await update();
  if (updated) return updated;
  try {
    return await create();
  } catch (error) {
    const other = isDuplicateKey(error) && (await update());
    if (!other) throw error;
    return other;
  }
}

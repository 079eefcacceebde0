import { createHash } from 'node:crypto';

/** A short name for an item of a question, which may be a long search term. */
export function itemKey(item: string): string {
  return createHash('sha256').update(item).digest('base64url').slice(0, 16);
}

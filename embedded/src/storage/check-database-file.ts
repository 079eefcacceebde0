import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { checkPage, type PageRef, readMeta } from './database-pages.ts';

/** A database file that cannot be used. The message is the end of a sentence that starts with the file's name. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** `isComplete` is false when the time ran out before all pages were read. */
export type FileCheck = { bytes: number; pages: number; isComplete: boolean };

/**
 * Reads the structure of a database file and refuses a damaged one. LMDB maps the file into memory and trusts it: a
 * page that is missing or broken would end the process by a signal, without a message. The pages nearest to the roots
 * come first. Stored values are not checked, because LMDB keeps no checksums.
 *
 * @param maxMs how long the pages may be read, in ms
 * @returns undefined when there is no file
 * @throws DamagedFileError, or the error of the file system
 */
export function checkDatabaseFile(path: string, maxMs = Number.POSITIVE_INFINITY): FileCheck | undefined {
  const file = openIfExists(path);
  if (file === undefined) return undefined;
  try {
    if (!fstatSync(file).isFile()) throw new DamagedFileError('is not a file');
    return checkPages(file, performance.now() + maxMs);
  } finally {
    closeSync(file);
  }
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw new DamagedFileError('is not a file', { cause: error });
    throw error;
  }
}

function checkPages(file: number, endMs: number): FileCheck {
  const { pageSize, lastPage, roots, problem } = readMeta((offset, length) => readAt(file, offset, length));
  if (problem !== undefined) throw new DamagedFileError(problem);
  // After the meta pages: another process may write, and the pages that they name are in the file before them.
  const bytes = fstatSync(file).size;
  const filePages = Math.floor(bytes / pageSize);
  const seen = new Uint8Array(Math.ceil((Math.min(lastPage, filePages) + 1) / 8));
  // A file may be shorter than its last page number says, but only if no page beyond its end is in use.
  const isShort = lastPage >= filePages;
  const queue: PageRef[] = [...roots];
  let pages = 0;
  for (let next = 0; next < queue.length; next += 1) {
    const ref = queue[next] as PageRef;
    if (pages % 256 === 0 && !isShort && performance.now() > endMs)
      return { bytes, pages, isComplete: false };
    pages += 1;
    if (ref.page > lastPage) throw damagedPage(ref.page);
    if (ref.page + ref.count > filePages)
      throw new DamagedFileError(`is cut off: it ends before page ${ref.page} of ${lastPage}`);
    if (isMarked(seen, ref.page)) throw damagedPage(ref.page);
    mark(seen, ref.page);
    const content = readAt(file, ref.page * pageSize, pageSize);
    const children = content.length === pageSize ? checkPage(content, ref) : undefined;
    if (children === undefined) throw damagedPage(ref.page);
    for (const child of children) queue.push(child);
  }
  return { bytes, pages, isComplete: true };
}

function damagedPage(page: number): DamagedFileError {
  return new DamagedFileError(`is damaged: page ${page} cannot be read`);
}

const isMarked = (bits: Uint8Array, index: number) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

function mark(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
}

/** Fewer bytes than `length` at the end of the file. */
function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

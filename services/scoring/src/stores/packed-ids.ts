import type { AppIds } from '../domain/audit/axes/term-page.ts';

/** No store has it in an identifier. */
const end = '\n';
const endCode = end.charCodeAt(0);

/** Ids in one text: how many there are, then each id, with a line break after each. */
export function packIds(ids: readonly string[]): string {
  return [ids.length, ...ids, ''].join(end);
}

/**
 * The ids of a packed text. Each use costs a pass over the text, some 1 us, and no text for each id. An id is looked for once: a
 * list asks for the same few apps several times.
 */
export const unpackIds = (packed: string): AppIds => new PackedIds(packed);

/** One object for each page, and no closures: a list has thousands of pages. */
class PackedIds implements AppIds {
  readonly length: number;
  private readonly packed: string;
  private readonly start: number;
  /** Each id that was looked for, and after it where it was found. */
  private readonly known: (string | number)[] = [];

  constructor(packed: string) {
    this.length = Number.parseInt(packed, 10);
    this.packed = packed;
    this.start = packed.indexOf(end) + 1;
  }

  indexOf(id: string): number {
    const at = this.known.indexOf(id);
    if (at >= 0) return this.known[at + 1] as number;
    const index = find(this.packed, this.start, id);
    this.known.push(id, index);
    return index;
  }

  slice(from: number, to: number): string[] {
    const until = Math.min(to, this.length);
    if (from >= until) return [];
    const first = skipIds(this.packed, this.start, from);
    // Without the last line break.
    return this.packed.slice(first, skipIds(this.packed, first, until - from) - 1).split(end);
  }
}

function find(packed: string, start: number, id: string): number {
  for (let at = packed.indexOf(id, start); at >= 0; at = packed.indexOf(id, at + 1))
    if (packed.charCodeAt(at - 1) === endCode && packed.charCodeAt(at + id.length) === endCode)
      return countEnds(packed, start, at);
  return -1;
}

function countEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === endCode) count += 1;
  return count;
}

/** Where the id starts that comes after `count` others. */
function skipIds(text: string, start: number, count: number): number {
  let at = start;
  for (let skipped = 0; skipped < count; skipped += 1) at = text.indexOf(end, at) + 1;
  return at;
}

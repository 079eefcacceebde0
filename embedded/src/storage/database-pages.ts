/**
 * The pages of an LMDB data file, as far as a check of their structure needs them. The layout is that of `MDB_page`,
 * `MDB_meta`, `MDB_db`, `MDB_node` and `MDB_ovpage` in the mdb.c of the lmdb package, on 64 bits and little endian.
 */
import { endianness } from 'node:os';

/** A page that another one points to. An overflow page has `count` pages, all others have one. */
export type PageRef = { page: number; kind: 'tree' | 'overflow'; count: number };

const headerBytes = 24;
const metaBytes = 160;
const magic = 0xbeefc0de;
const version = 2;
const isBranch = 1;
const isLeaf = 2;
const isOverflow = 4;
const isMeta = 8;
const hasOverflow = 1;

type Meta = {
  pageSize: number;
  /** The highest page number in use. */
  lastPage: number;
  /** The roots of the tree of free pages and the tree of the data; an empty tree has none. */
  roots: PageRef[];
  /** What is wrong with the file; the other fields are then meaningless. */
  problem?: string;
};

/** Reads both meta pages: the newer one is the start of all others, and LMDB trusts both. */
export function readMeta(readAt: (offset: number, length: number) => Buffer): Meta {
  const unusable = (problem: string): Meta => ({ pageSize: 0, lastPage: 0, roots: [], problem });
  const first = readAt(0, metaBytes);
  if (first.length === 0) return unusable('is empty');
  if (endianness() !== 'LE') return unusable('cannot be checked on this machine');
  if (!isMetaPage(first)) return unusable('is not a database, or its first page is damaged');
  const pageSize = first.readUInt32LE(48);
  if (pageSize < 256 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0)
    return unusable('is damaged: its first page cannot be read');
  const second = readAt(pageSize, metaBytes);
  if (second.length < metaBytes) return unusable('is cut off: its second page is missing');
  if (!isMetaPage(second) || second.readUInt32LE(48) !== pageSize)
    return unusable('is damaged: its second page cannot be read');
  const newer = second.readBigUInt64LE(152) > first.readBigUInt64LE(152) ? second : first;
  const roots = [88, 136].map((offset) => readPageNumber(newer, offset)).filter((root) => root !== null);
  return {
    pageSize,
    lastPage: readPageNumber(newer, 144) ?? 0,
    roots: roots.map((page) => ({ page, kind: 'tree', count: 1 })),
  };
}

function isMetaPage(page: Buffer): boolean {
  return (
    page.length === metaBytes &&
    (page.readUInt16LE(18) & isMeta) !== 0 &&
    page.readUInt32LE(24) === magic &&
    page.readUInt16LE(28) === version
  );
}

/** Null for "no page", which is the highest 64-bit number. */
function readPageNumber(page: Buffer, offset: number): number | null {
  const value = page.readBigUInt64LE(offset);
  return value === 0xffff_ffff_ffff_ffffn ? null : Number(value);
}

/** The pages that this one points to. Undefined if it is not the page that `ref` expects. */
export function checkPage(page: Buffer, ref: PageRef): PageRef[] | undefined {
  if (readPageNumber(page, 0) !== ref.page) return undefined;
  const kind = page.readUInt16LE(18) & (isBranch | isLeaf | isOverflow | isMeta);
  if (ref.kind === 'overflow')
    return kind === isOverflow && page.readUInt32LE(20) === ref.count ? [] : undefined;
  if (kind !== isBranch && kind !== isLeaf) return undefined;
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
  if (lower % 2 !== 0 || lower > upper || headerBytes + upper > page.length) return undefined;
  const children: PageRef[] = [];
  for (let entry = 0; entry < lower / 2; entry += 1) {
    const node = headerBytes + page.readUInt16LE(headerBytes + 2 * entry);
    if (node < headerBytes + upper || node + 8 > page.length) return undefined;
    const child = kind === isBranch ? readBranchNode(page, node) : readLeafNode(page, node);
    if (child === undefined) return undefined;
    if (child !== null) children.push(child);
  }
  return children;
}

function readBranchNode(page: Buffer, node: number): PageRef | undefined {
  const child = page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32;
  const end = node + 8 + page.readUInt16LE(node + 6);
  return end > page.length ? undefined : { page: child, kind: 'tree', count: 1 };
}

/** Null if the value is in the page itself. */
function readLeafNode(page: Buffer, node: number): PageRef | null | undefined {
  const value = node + 8 + page.readUInt16LE(node + 6);
  if ((page.readUInt16LE(node + 4) & hasOverflow) === 0)
    return value + page.readUInt32LE(node) > page.length ? undefined : null;
  if (value + headerBytes > page.length) return undefined;
  const [first, count] = [readPageNumber(page, value), readPageNumber(page, value + 16)];
  return first === null || count === null ? undefined : { page: first, kind: 'overflow', count };
}

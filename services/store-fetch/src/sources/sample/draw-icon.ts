import { crc32, deflateSync } from 'node:zlib';
import { mix, pick } from './random.ts';

/** Red, green, blue. */
const colors = [
  [11, 92, 173],
  [130, 80, 223],
  [15, 107, 94],
  [154, 74, 0],
  [163, 48, 111],
  [87, 96, 106],
] as const;
const ink = [246, 248, 250] as const;

/** Cells of a side; the right half mirrors the left one. */
const cells = 6;
const pixelsPerCell = 12;

/** A light pattern on one color, as a PNG of some 150 bytes: one for each seed. */
export function drawIcon(seed: number): Buffer {
  const side = cells * pixelsPerCell;
  const isInked = (x: number, y: number) => (mix(seed, 60, Math.min(x, cells - 1 - x), y) & 1) === 1;
  const rows = Buffer.alloc(side * (side + 1));
  for (let y = 0; y < side; y++)
    // The first byte of a row names its filter: none.
    for (let x = 0; x < side; x++)
      if (isInked(Math.floor(x / pixelsPerCell), Math.floor(y / pixelsPerCell)))
        rows[y * (side + 1) + 1 + x] = 1;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits a pixel, which are the index of a color.
  header.set([8, 3], 8);
  const palette = Buffer.from([...pick(colors, mix(seed, 61)), ...ink]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, type, content and checksum (PNG specification, 5.3). */
function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

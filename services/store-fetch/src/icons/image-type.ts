/** The types of image that are passed on. SVG is none of them: it can contain scripts. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff]);

/** The type of an image by its first bytes, whatever its server says; null: none of these types. */
export function imageTypeOf(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, png.length).equals(png)) return 'image/png';
  if (bytes.subarray(0, jpeg.length).equals(jpeg)) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

import { inflateSync } from 'node:zlib';
import { imageTypeOf } from '../../icons/image-type.ts';
import { drawIcon } from './draw-icon.ts';

test('an icon is a small square PNG with two colors, the same for the same seed', () => {
  const icon = drawIcon(7);
  expect(imageTypeOf(icon)).toBe('image/png');
  expect(icon.length).toBeLessThan(500);
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([72, 72]);
  const at = icon.indexOf('IDAT');
  const rows = inflateSync(icon.subarray(at + 4, at + 4 + icon.readUInt32BE(at - 4)));
  expect(rows).toHaveLength(72 * 73);
  expect(new Set(rows)).toEqual(new Set([0, 1]));
  expect(drawIcon(7)).toEqual(icon);
});

test('icons differ', () => {
  const icons = Array.from({ length: 100 }, (_, seed) => drawIcon(seed).toString('latin1'));
  expect(new Set(icons).size).toBe(100);
});

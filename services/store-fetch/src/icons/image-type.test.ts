import { imageTypeOf } from './image-type.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['image/png', bytes('\x89PNG\r\n\x1a\n....')],
  ['image/jpeg', bytes('\xff\xd8\xff\xe0..JFIF')],
  ['image/webp', bytes('RIFF\x04\0\0\0WEBPVP8 ')],
  [null, bytes('<!doctype html><script>alert(1)</script>')],
  [null, bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [null, bytes('GIF89a')],
  [null, bytes('RIFF\x04\0\0\0WAVE')],
  [null, bytes('\x89PNG')],
  [null, bytes('')],
])('%s', (type, image) => {
  expect(imageTypeOf(image)).toBe(type);
});

import { isDiskFull } from './is-disk-full.ts';

const free = (bytes: number) => () => bytes;
const gibibyte = 2 ** 30;

test.each([
  'ENOSPC: no space left on device, write',
  'No space left on device: Attempting to write page at position 114688',
  'Disk quota exceeded',
  'EFBIG: file too large',
  'MDB_MAP_FULL: Environment mapsize limit reached',
])('%s means a full disk, however much is free', (message) => {
  expect(isDiskFull(new Error(message), '/data', free(gibibyte))).toBe(true);
});

test.each(['Input/output error', 'Commit failed: Input/output error', 'EIO: i/o error, write'])(
  '%s means a full disk when nothing is free, and a broken one otherwise',
  (message) => {
    const error = new Error(message);
    expect(isDiskFull(error, '/data', free(0))).toBe(true);
    expect(isDiskFull(error, '/data', free(4096))).toBe(true);
    expect(isDiskFull(error, '/data', free(gibibyte))).toBe(false);
    const unreadable = () => {
      throw new Error('ENOENT');
    };
    expect(isDiskFull(error, '/data', unreadable)).toBe(false);
  },
);

test.each([new Error('permission denied'), new Error(''), undefined, null, 'text'])(
  '%s does not mean a full disk',
  (error) => {
    expect(isDiskFull(error, '/data', free(0))).toBe(false);
  },
);

import { isNextRelease, releaseOf } from './release.ts';

const released = new Date('2026-01-02T00:00:00Z');
const later = new Date('2026-02-03T00:00:00Z');
const readAt = new Date('2026-03-10T09:00:00Z');
const shown = { version: '1.0', updated_at: released, read_at: readAt };

test('the first release has the date that the store names, else the day on which it was first seen', () => {
  expect(releaseOf(shown, null)).toEqual({ version: '1.0', date: released });
  expect(releaseOf({ version: null, updated_at: null, read_at: readAt }, null)).toEqual({
    version: null,
    date: readAt,
  });
});

test.each([
  ['the same version on a later day', { ...shown, updated_at: later }, false],
  ['a version that the store no longer names', { ...shown, version: null }, false],
  ['another version', { ...shown, version: '1.1', updated_at: later }, true],
  ['another version of the same day', { ...shown, version: '1.1' }, true],
  ['an older version again', { ...shown, version: '0.9', updated_at: later }, true],
  ['no version, but a later day', { ...shown, version: null, updated_at: later }, true],
  ['no version and no day', { version: null, updated_at: null, read_at: readAt }, false],
])('%s', (_, next, isNext) => {
  const known = { version: '1.0', date: released };
  const release = releaseOf(next, known);
  expect(isNextRelease(known, release)).toBe(isNext);
  if (!isNext) expect(release).toEqual(known);
});

test('a version or a date that becomes known is not a new release', () => {
  const known = { version: null, date: readAt };
  const release = releaseOf(shown, known);
  expect(release).toEqual({ version: '1.0', date: readAt });
  expect(isNextRelease(known, release)).toBe(false);
});

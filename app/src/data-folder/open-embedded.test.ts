import { explainDatabaseFailure } from './open-embedded.ts';

test('the sentence about a failed database names the folder and says what to do', () => {
  const full = new Error('No space left on device: Attempting to write page at position 114688');
  expect(explainDatabaseFailure(full, '/data')).toBe(
    'The embedded database failed, so Shelfwise ends: the disk of the data folder /data is full. Free some space, then start again. Nothing that was acknowledged is lost.',
  );
  // LMDB reports a write that was cut short as an I/O error, and there is no folder whose disk is full.
  expect(explainDatabaseFailure(new Error('Input/output error'), '/data')).toBe(
    'The embedded database failed, so Shelfwise ends: Input/output error. Check the disk of the data folder /data and its free space, then start again. Nothing that was acknowledged is lost.',
  );
});

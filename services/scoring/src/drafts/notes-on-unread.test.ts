import { notesOnBaseline, notesOnPending } from './notes-on-unread.ts';

const readiness = {
  is_shown: true,
  is_aim_read: false,
  are_words_read: false,
  has_pending_phrases: false,
  unread: [],
  unproven_words: [] as string[],
  has_description: false,
};
const noteOf = (pending: string[], waitingCount: number) =>
  notesOnPending({ probedCount: 4, pending, waitingCount, partialCount: 0 }, readiness)[0];

test('terms that could not be read are told from those that wait for a second look', () => {
  expect(noteOf(['chess'], 0)).toBe(
    '1 of 5 words and phrases could not be read from the store in time (not read: “chess”): the scores leave it out. Run it again in a minute.',
  );
  expect(noteOf(['chess'], 1)).toBe(
    '1 of 5 words and phrases waits for a second look, because the store showed nothing at the first (not read: “chess”): the scores leave it out. Run it again in 15 minutes.',
  );
  expect(noteOf(['chess', 'go'], 1)).toBe(
    '2 of 6 words and phrases are not fully read yet (not read: “chess”, “go”): the scores leave them out. Run it again in 15 minutes.',
  );
});

test('phrases that a comparison leaves out are named, unless they are the draft’s, which another note names', () => {
  const read = { ...readiness, is_aim_read: true, are_words_read: true };
  const pending = { ...read, is_aim_read: false, has_pending_phrases: true, unread: ['chess game'] };
  const rest =
    'have not been fully read yet, so delta leaves them out: delta_bounds says what they could change.';
  expect(notesOnBaseline(read, read)).toEqual([]);
  expect(notesOnBaseline(pending, read)).toEqual([`Phrases of the draft ${rest}`]);
  expect(notesOnBaseline(read, pending)).toEqual([
    `Phrases of the app’s own listing (not read: “chess game”) ${rest}`,
  ]);
});

test('words whose empty page is not believed yet prevent a comparison, unless both sides have them', () => {
  const read = { ...readiness, is_aim_read: true, are_words_read: true };
  const unproven = { ...read, unproven_words: ['title: zzqxjv'] };
  expect(notesOnBaseline(unproven, unproven)).toEqual([]);
  const refused = [expect.stringContaining('not believed yet')];
  expect(notesOnBaseline(unproven, read)).toEqual(refused);
  expect(notesOnBaseline(read, unproven)).toEqual(refused);
});

import { notesForPeople } from './notes-for-people.ts';

test('notes for programs are left out, whatever the terms that a note names', () => {
  const forPeople = [
    '1 of 3 words and phrases could not be read from the store in time (not read: “snake_case”): the scores leave it out.',
    'Too few words of the app’s own listing have been read, so there is no score to compare with yet.',
  ];
  const forPrograms = [
    'To compare with it, keep it with PUT /api/v1/applications/{id}/keywords-field.',
    'Phrases of the draft have not been fully read yet, so delta leaves them out: delta_bounds says what they could change.',
  ];
  expect(notesForPeople([...forPrograms, ...forPeople])).toEqual(forPeople);
});

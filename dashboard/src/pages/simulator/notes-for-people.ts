/** Notes that name fields or addresses of the API are for programs: a page says the same of the run in its own words. */
export function notesForPeople(notes: readonly string[]): string[] {
  return notes.filter((note) => !/\/api\/|[a-z]_[a-z]/.test(withoutTerms(note)));
}

/** What is quoted are terms of a listing. */
function withoutTerms(note: string): string {
  return note.replace(/“[^”]*”/g, '');
}

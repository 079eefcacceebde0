import {
  addTerm,
  asLive,
  changedTexts,
  isNotKnown,
  isOfDraft,
  knownTexts,
  shownText,
  takeTexts,
  typeText,
} from './draft-texts.ts';

const title = { key: 'title', live: 'Habitember' } as const;
const subtitle = { key: 'subtitle', live: null } as const;
const keywords = { key: 'kw_field', live: 'goals,mood' } as const;
const fields = [title, subtitle, keywords];

test('a draft is the live listing until a field is typed, and again when it is typed as it is live', () => {
  expect(shownText(asLive, title)).toBe('Habitember');
  const typed = typeText(asLive, title, 'Habitember: Habits');
  expect(shownText(typed, title)).toBe('Habitember: Habits');
  expect(changedTexts(typed)).toEqual({ title: 'Habitember: Habits' });
  expect(typeText(typed, title, 'Habitember')).toEqual(asLive);
});

test('an emptied field is a change', () => {
  expect(changedTexts(typeText(asLive, title, ''))).toEqual({ title: '' });
});

test('an unknown field is not an empty one', () => {
  expect(isNotKnown(asLive, subtitle)).toBe(true);
  expect(isNotKnown(typeText(asLive, subtitle, ''), subtitle)).toBe(false);
  expect(isNotKnown(asLive, { key: 'subtitle', live: '' })).toBe(false);
  expect(isNotKnown(asLive, title)).toBe(false);
});

test('a field of which nothing is known is not checked', () => {
  expect(knownTexts(asLive, fields)).toEqual({ title: 'Habitember', kw_field: 'goals,mood' });
});

test('a word is added as the field separates words, once', () => {
  const withTitle = addTerm(asLive, fields, title, 'routine');
  expect(withTitle.title).toBe('Habitember routine');
  expect(addTerm(withTitle, fields, title, 'routine')).toBe(withTitle);
  expect(addTerm(asLive, fields, keywords, 'routine').kw_field).toBe('goals,mood,routine');
  expect(addTerm(asLive, fields, subtitle, 'routine').subtitle).toBe('routine');
});

test('a phrase gives the keywords field only the words that no field carries yet', () => {
  const named = { key: 'title', live: 'Habitember - Habit Tracker' } as const;
  const all = [named, subtitle, keywords, { key: 'description', live: 'For ADHD minds' } as const];
  expect(addTerm(asLive, all, keywords, 'adhd habit tracker').kw_field).toBe('goals,mood,adhd');
  expect(addTerm(asLive, all, keywords, 'daily mood planner').kw_field).toBe('goals,mood,daily,planner');
  expect(addTerm(asLive, all, keywords, 'habit goals')).toBe(asLive);
  expect(addTerm(asLive, all, subtitle, 'adhd habit').subtitle).toBe('adhd habit');
});

test('a run is of the draft while no field holds another text', () => {
  const run = {
    title: 'Habitember',
    subtitle: null,
    kw_field: 'goals,mood',
    description: 'Not a field here.',
  };
  expect(isOfDraft(run, asLive, fields)).toBe(true);
  expect(isOfDraft(run, typeText(asLive, title, 'Habitember: Habits'), fields)).toBe(false);
  // An empty subtitle is a text; that of the run was not known.
  expect(isOfDraft(run, typeText(asLive, subtitle, ''), fields)).toBe(false);
  expect(isOfDraft({ ...run, kw_field: null }, asLive, fields)).toBe(false);
  expect(isOfDraft({ ...run, title: 'One\nTwo' }, { ...asLive, title: 'One\r\nTwo' }, fields)).toBe(true);
});

test('the texts of a run become the draft, as far as they differ from the live listing', () => {
  const run = { title: 'Habitember', subtitle: 'Daily goals', kw_field: null, description: null };
  expect(takeTexts(run, fields)).toEqual({ ...asLive, subtitle: 'Daily goals' });
});

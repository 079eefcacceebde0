import { addWord, asLive, changedTexts, knownTexts, shownText, takeTexts, typeText } from './draft-texts.ts';

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

test('a field of which nothing is known is not checked', () => {
  expect(knownTexts(asLive, fields)).toEqual({ title: 'Habitember', kw_field: 'goals,mood' });
});

test('a word is added as the field separates words, once', () => {
  const withTitle = addWord(asLive, title, 'routine');
  expect(withTitle.title).toBe('Habitember routine');
  expect(addWord(withTitle, title, 'routine')).toBe(withTitle);
  expect(addWord(asLive, keywords, 'routine').kw_field).toBe('goals,mood,routine');
  expect(addWord(asLive, subtitle, 'routine').subtitle).toBe('routine');
});

test('the texts of a run become the draft, as far as they differ from the live listing', () => {
  const run = { title: 'Habitember', subtitle: 'Daily goals', kw_field: null, description: null };
  expect(takeTexts(run, fields)).toEqual({ ...asLive, subtitle: 'Daily goals' });
});

import type { ItunesRow } from './itunes-row.ts';
import { subtitleOn } from './read-app-page.ts';

const subtitleOf = (title: string, trackName: string, isIdentified = false) =>
  subtitleOn({ title, subtitle: 'Kept simple', isIdentified }, { trackName } as ItunesRow);

test.each([
  ['Quillmoor: Notes & Lists', 'Quillmoor: Notes & Lists'],
  ['quillmoor – notes & lists 12+', 'Quillmoor: Notes & Lists'],
  ['写真しおり', '写真しおり'],
  ['🐢', '🐢'],
])('a page with the title %j is that of the app %j', (title, name) =>
  expect(subtitleOf(title, name)).toBe('Kept simple'),
);

test('a page that does not say whose it is, and has another title, tells nothing of the app', () => {
  expect(subtitleOf('Page not found', 'Quillmoor')).toBeNull();
});

test('a page that says whose it is may have its title in another language', () => {
  expect(subtitleOf('クイルムーア', 'Quillmoor', true)).toBe('Kept simple');
});

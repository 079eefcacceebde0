import type { ItunesRow } from './itunes-row.ts';
import { subtitleOn } from './read-app-page.ts';

const subtitleOf = (title: string, trackName: string) =>
  subtitleOn({ title, subtitle: 'Kept simple' }, { trackName } as ItunesRow);

test.each([
  ['Quillmoor: Notes & Lists', 'Quillmoor: Notes & Lists'],
  ['quillmoor – notes & lists 12+', 'Quillmoor: Notes & Lists'],
  ['写真しおり', '写真しおり'],
  ['🐢', '🐢'],
])('a page with the title %j belongs to the app %j', (title, name) =>
  expect(subtitleOf(title, name)).toBe('Kept simple'),
);

test('a page with another title says nothing about the app', () => {
  expect(subtitleOf('Page not found', 'Quillmoor')).toBeNull();
});

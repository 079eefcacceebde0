import { nameOfChange } from './parts/name-of-change.ts';
import { type ListingChange, marksOf } from './timeline.ts';

const change: ListingChange = {
  id: '1:2',
  day: '2026-06-08',
  appName: 'Evernote',
  isOwn: true,
  fields: [
    { name: 'title', before: 'a', after: 'b', added: ['b'], removed: ['a'] },
    { name: 'version', before: '1', after: '2', added: [], removed: [] },
  ],
  isOtherIcon: false,
  screenshots: null,
  simulation: null,
  hasEffect: false,
};

test('a change is named by what changed', () => {
  expect(nameOfChange(change)).toBe('Name, version \u20682\u2069');
  const screenshots = { added: { state: 'known', value: 1 }, removed: { state: 'known', value: 0 } } as const;
  expect(nameOfChange({ ...change, fields: [], isOtherIcon: true, screenshots })).toBe('icon, screenshots');
});

test('charts have marks for own changes and notes, the latest first, and none for competitors', () => {
  const notes = [
    { id: '1', day: '2026-06-09', text: 'Ads began' },
    { id: '2', day: '2026-06-01', text: 'Featured' },
  ];
  const changes = [change, { ...change, id: '9:2', isOwn: false }];
  expect(marksOf({ notes, changes }, nameOfChange)).toEqual([
    { day: '2026-06-09', kind: 'note', text: 'Ads began' },
    { day: '2026-06-08', kind: 'change', text: 'Name, version \u20682\u2069' },
    { day: '2026-06-01', kind: 'note', text: 'Featured' },
  ]);
});

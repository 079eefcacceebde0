import { categories, categoryLabel, isCategory } from './categories.ts';

test('a category exists only in its own store', () => {
  expect(isCategory('ITUNES', '6015')).toBe(true);
  expect(isCategory('GPLAY', '6015')).toBe(false);
  expect(isCategory('GPLAY', 'FINANCE')).toBe(true);
  expect(isCategory('ITUNES', '__proto__')).toBe(false);
});

test('both stores list an overall chart first', () => {
  expect(categories.ITUNES[0].key).toBe('OVERALL');
  expect(categories.GPLAY[0].key).toBe('OVERALL');
});

test('every category has a label and a unique key', () => {
  for (const rows of Object.values(categories)) {
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    expect(rows.every(({ label }) => label.length > 2)).toBe(true);
  }
  expect(categoryLabel('ITUNES', '7012')).toBe('Puzzle');
  expect(categoryLabel('ITUNES', 'NONE')).toBeNull();
});

import { categories, categoryLabel, isCategory } from './categories.ts';

test('a category is known in its own store only', () => {
  expect(isCategory('ITUNES', '6015')).toBe(true);
  expect(isCategory('GPLAY', '6015')).toBe(false);
  expect(isCategory('GPLAY', 'FINANCE')).toBe(true);
  expect(isCategory('ITUNES', '__proto__')).toBe(false);
});

test('both stores have an overall chart, listed first', () => {
  expect(categories.ITUNES[0].key).toBe('OVERALL');
  expect(categories.GPLAY[0].key).toBe('OVERALL');
});

test('every category has a label and a key of its own', () => {
  for (const rows of Object.values(categories)) {
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    expect(rows.every(({ label }) => label.length > 2)).toBe(true);
  }
  expect(categoryLabel('ITUNES', '7012')).toBe('Puzzle');
  expect(categoryLabel('ITUNES', 'NONE')).toBeNull();
});

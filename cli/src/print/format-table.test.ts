import { type Column, formatTable } from './format-table.ts';

type Row = { name: string | null; rank: number | null; traffic: number | null };
const columns: Column<Row>[] = [
  { title: 'name', value: (row) => row.name, isLong: true },
  { title: 'rank', value: (row) => row.rank, note: (row) => (row.rank === null ? 'not ranked' : null) },
  {
    title: 'traffic',
    value: (row) => row.traffic,
    note: (row) => (row.traffic === null ? 'not measured yet' : null),
  },
];

test('null is a dash with its reason, and a measured 0 stays 0', () => {
  const rows = [
    { name: 'habit', rank: 7, traffic: 0 },
    { name: 'planner', rank: null, traffic: null },
  ];
  expect(formatTable(columns, rows, null)).toBe(
    [
      'name     rank  traffic  note',
      'habit       7        0',
      'planner     –        –  rank: not ranked; traffic: not measured yet',
    ].join('\n'),
  );
});

test('a column without any value is aligned as numbers are', () => {
  expect(formatTable(columns.slice(1, 2), [{ name: null, rank: null, traffic: null }], null)).toBe(
    ['rank  note', '   –  rank: not ranked'].join('\n'),
  );
});

test('values with one reason share it', () => {
  const why = (): string => 'not read';
  const shared = columns.map((column) => ({ ...column, note: why }));
  expect(formatTable(shared, [{ name: null, rank: null, traffic: null }], null)).toContain(
    'name, rank, traffic: not read',
  );
});

test('a narrow terminal cuts long columns, wide characters count twice', () => {
  const rows = [
    { name: 'Habit Tracker with Mood', rank: 1, traffic: 50 },
    { name: '習慣', rank: 2, traffic: 50 },
  ];
  expect(formatTable(columns, rows, 30)).toBe(
    [
      'name             rank  traffic',
      'Habit Tracker…      1       50',
      '習慣                2       50',
    ].join('\n'),
  );
});

test('control characters of a store are harmless', () => {
  const rows = [{ name: '\u001b[2Jevil\nline\u202e', rank: 1, traffic: 1 }];
  const text = formatTable(columns, rows, null);
  expect(text.split('\n')).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

import { z } from 'zod';
import { csvOfList, csvTable } from './csv-table.ts';

const app = z.object({ id: z.string(), title: z.string() });
const row = z.object({
  id: z.int(),
  ahead: app.nullable(),
  scores: z.object({ total: z.int(), when: z.object({ day: z.iso.date() }) }),
  shots: z.array(z.string()),
  ranking: z.array(app),
  delta: z.int().nullable().optional(),
  kind: z.enum(['a', 'b']),
  is_new: z.boolean(),
});

test('fields of objects have dotted columns, lists of texts are one cell, lists of objects are left out', () => {
  const table = csvOfList(row);
  expect(table.columns).toEqual([
    'id',
    'ahead.id',
    'ahead.title',
    'scores.total',
    'scores.when.day',
    'shots',
    'delta',
    'kind',
    'is_new',
  ]);
  const data = {
    id: 1,
    ahead: { id: 'x', title: 'X' },
    scores: { total: 5, when: { day: '2026-01-31' } },
    shots: ['one', 'two'],
    ranking: [{ id: 'y', title: 'Y' }],
    delta: -2,
    kind: 'a' as const,
    is_new: true,
  };
  const { delta: _, ...withoutDelta } = data;
  expect([...table.readRows([data, { ...withoutDelta, ahead: null }])]).toEqual([
    [1, 'x', 'X', 5, '2026-01-31', ['one', 'two'], -2, 'a', true],
    [1, undefined, undefined, 5, '2026-01-31', ['one', 'two'], undefined, 'a', true],
  ]);
});

test('rows may come from inside the data, one at a time', () => {
  const table = csvTable(
    z.object({ app_id: z.int(), day: z.string() }),
    function* (data: { app_id: number; days: string[] }) {
      for (const day of data.days) yield { app_id: data.app_id, day };
    },
  );
  expect([...table.readRows({ app_id: 7, days: ['a', 'b'] })]).toEqual([
    [7, 'a'],
    [7, 'b'],
  ]);
});

test('a field that has no form in a cell is a mistake of the route', () => {
  const mixed = z.object({ evidence: z.union([z.string(), z.object({ length: z.int() })]) });
  expect(() => csvOfList(mixed)).toThrow('evidence has no form in CSV');
});

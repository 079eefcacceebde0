import type { CollectionMeta, IndexMeta } from './collection-meta.ts';
import { createPlan } from './plan.ts';

const index = (id: number, key: Record<string, 1>, flags: Partial<IndexMeta> = {}): IndexMeta => ({
  id,
  name: Object.keys(key).join(),
  key,
  unique: false,
  sparse: false,
  multikey: false,
  truncated: false,
  ...flags,
});

const rows: CollectionMeta = {
  id: 1,
  db: 'test',
  name: 'rows',
  indexes: [
    index(1, { _id: 1 }, { name: '_id_' }),
    index(2, { owner: 1, place: 1 }),
    index(3, { pending: 1 }, { sparse: true }),
  ],
};

test('of two indexes that serve one equality each, the sparse one is read: few documents have its field', () => {
  const filter = { pending: { $eq: true }, owner: { $eq: 'ann' } };
  expect(createPlan(rows, filter, [])?.index.name).toBe('pending');
});

test('a sparse index is worth less than another equality, and less than a sort without memory', () => {
  const owned = { pending: { $eq: true }, owner: { $eq: 'ann' }, place: { $eq: 1 } };
  expect(createPlan(rows, owned, [])?.index.name).toBe('owner,place');
  const sorted = { pending: { $eq: true }, owner: { $eq: 'ann' } };
  expect(createPlan(rows, sorted, [['place', 1]])?.index.name).toBe('owner,place');
});

test('ids between two bounds, the rows of one owner, are read rather than all rows with an equal field', () => {
  const owned = { owner: { $eq: 'ann' }, place: { $eq: 1 } };
  const closed = { _id: { $gte: 'ann:', $lt: 'ann;' }, ...owned };
  expect(createPlan(rows, closed, [])?.index.name).toBe('_id_');
  expect(createPlan(rows, { _id: { $gt: 'ann:' }, ...owned }, [])?.index.name).toBe('owner,place');
});

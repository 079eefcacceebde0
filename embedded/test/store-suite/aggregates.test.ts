import { clearModels, createModels, createObjectId, createUser, type Models } from './models.ts';
import { openStore } from './open-store.ts';

const store = openStore();
let models: Models;

beforeAll(async () => {
  models = await createModels(store.connection);
});
beforeEach(() => clearModels(models));

const countAll = { $group: { _id: null, n: { $sum: 1 } } };

test('$match, $sort, $skip, $limit and $project', async () => {
  const { User } = models;
  await User.insertMany([1, 2, 3, 4, 5].map((n) => createUser(n)));
  const page = await User.aggregate([
    { $match: { age: { $gt: 1 } } },
    { $sort: { age: -1 } },
    { $skip: 1 },
    { $limit: 2 },
    { $project: { _id: 0, name: 1 } },
  ]);
  expect(page).toEqual([{ name: 'u4' }, { name: 'u3' }]);
});

test('$group counts or sums by a field, $count counts', async () => {
  const { User } = models;
  await User.insertMany([1, 2, 3, 4].map((n) => createUser(n, { name: n < 4 ? 'few' : 'many' })));
  const byName = await User.aggregate([
    { $group: { _id: '$name', ages: { $sum: '$age' } } },
    { $sort: { _id: 1 } },
  ]);
  expect(byName).toEqual([
    { _id: 'few', ages: 6 },
    { _id: 'many', ages: 4 },
  ]);
  expect(await User.aggregate([{ $match: { age: { $gt: 1 } } }, { $count: 'c' }])).toEqual([{ c: 3 }]);
  expect(await User.aggregate([countAll])).toEqual([{ _id: null, n: 4 }]);
  expect(await User.aggregate([{ $match: { age: 99 } }, countAll])).toEqual([]);
});

test('$group by an ObjectId preserves its type', async () => {
  const { User } = models;
  const org = createObjectId();
  await User.insertMany([createUser(1, { org }), createUser(2, { org }), createUser(3)]);
  const groups = await User.aggregate([{ $group: { _id: '$org', n: { $sum: 1 } } }, { $sort: { n: -1 } }]);
  expect(groups).toHaveLength(2);
  expect(groups[0].n).toBe(2);
  expect(org.equals(groups[0]._id)).toBe(true);
});

test('collections can be created, listed and dropped; databases are isolated', async () => {
  const { Org } = models;
  const listed = await store.connection.listCollections();
  expect(listed.map(({ name }) => name)).toContain('orgs');
  const other = store.connection.useDb(`${store.connection.name}_other`);
  const OtherOrg = other.model('Org', Org.schema);
  await OtherOrg.create({ title: 'z' });
  expect(await Org.countDocuments()).toBe(0);
  expect(await OtherOrg.countDocuments()).toBe(1);
  await OtherOrg.collection.drop();
  expect(await OtherOrg.countDocuments()).toBe(0);
  await other.dropDatabase();
});

test('the driver under mongoose works too', async () => {
  const orgs = models.Org.collection;
  await orgs.insertOne({ title: 'raw' });
  const found = await orgs.find({ title: 'raw' }).sort({ _id: 1 }).project({ title: 1, _id: 0 }).toArray();
  expect(found).toEqual([{ title: 'raw' }]);
});

test('100 concurrent updates of one document are all applied', async () => {
  const { Counter } = models;
  await Counter.create({ _id: 'n' });
  await Promise.all(Array.from({ length: 100 }, () => Counter.updateOne({ _id: 'n' }, { $inc: { seq: 1 } })));
  expect((await Counter.findById('n'))?.seq).toBe(100);
});

import type { PipelineStage } from 'mongoose';
import { describeStore } from './describe-store.ts';
import { createObjectId, createUser } from './models.ts';

describeStore((store, models) => {
  const countAll = { $group: { _id: null, n: { $sum: 1 } } };

  test('$group counts the documents of each group', async () => {
    const { User } = models;
    await User.insertMany([1, 2, 3, 4].map((n) => createUser(n, { name: n < 4 ? 'few' : 'many' })));
    const counts = async (...stages: PipelineStage[]) =>
      new Map((await User.aggregate(stages)).map(({ _id, n }) => [_id, n]));
    const byName = { $group: { _id: '$name', n: { $sum: 1 } } };
    expect(await counts(byName)).toEqual(
      new Map([
        ['few', 3],
        ['many', 1],
      ]),
    );
    expect(await counts({ $match: { age: { $gt: 2 } } }, byName)).toEqual(
      new Map([
        ['few', 1],
        ['many', 1],
      ]),
    );
    expect(await counts({ $match: { name: 'few' } }, { $limit: 2 }, byName)).toEqual(new Map([['few', 2]]));
    expect(await User.aggregate([countAll])).toEqual([{ _id: null, n: 4 }]);
    expect(await User.aggregate([{ $match: { age: 99 } }, countAll])).toEqual([]);
  });

  test('$group counts the documents of each listed value, from an index or from the documents', async () => {
    const { User } = models;
    await User.insertMany(
      [1, 2, 3, 4].map((n) => createUser(n, { age: n < 4 ? 30 : 40, name: `n${n % 2}` })),
    );
    const counts = async (match: object) =>
      new Map(
        (await User.aggregate([{ $match: match }, { $group: { _id: '$age', count: { $sum: 1 } } }])).map(
          ({ _id, count }) => [_id, count],
        ),
      );
    const both = new Map([
      [30, 3],
      [40, 1],
    ]);
    expect(await counts({ age: { $in: [30, 40, 50] } })).toEqual(both);
    expect(await counts({ age: { $in: [30, 40] }, name: 'n1' })).toEqual(new Map([[30, 2]]));
    expect(await counts({ age: { $in: [30, 40, null] } })).toEqual(both);
    expect(await counts({ age: { $in: [30, 40], $gt: 35 } })).toEqual(new Map([[40, 1]]));
  });

  test('$group by an ObjectId preserves its type', async () => {
    const { User } = models;
    const org = createObjectId();
    await User.insertMany([createUser(1, { org }), createUser(2, { org }), createUser(3)]);
    const groups = await User.aggregate([{ $group: { _id: '$org', n: { $sum: 1 } } }]);
    expect(groups).toHaveLength(2);
    expect(org.equals(groups.find(({ n }) => n === 2)?._id)).toBe(true);
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
    await Promise.all(
      Array.from({ length: 100 }, () => Counter.updateOne({ _id: 'n' }, { $inc: { seq: 1 } })),
    );
    expect((await Counter.findById('n'))?.seq).toBe(100);
  });
});

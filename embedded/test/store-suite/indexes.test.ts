import { describeStore } from './describe-store.ts';
import { createObjectId, createUser } from './models.ts';

describeStore((store, models) => {
  /** FerretDB answers with code 1 when an update or a new index meets a duplicate. */
  const duplicateCodesOnChange = store.isEmbedded ? [11000] : [11000, 1];

  test('a unique index refuses a duplicate with code 11000 and reports its key', async () => {
    const { User } = models;
    await User.create(createUser(1));
    const error = await User.create({ name: 'x', email: 'U1@x.io' }).catch((refused) => refused);
    expect(error).toMatchObject({ code: 11000, name: 'MongoServerError' });
    expect(error.message).toMatch('E11000 duplicate key');
    // FerretDB omits these fields.
    if (store.isEmbedded)
      expect(error).toMatchObject({ keyPattern: { email: 1 }, keyValue: { email: 'u1@x.io' } });
  });

  test('a unique index is enforced for updates too', async () => {
    const { User } = models;
    await User.insertMany([1, 2].map((n) => createUser(n)));
    const update = await User.updateOne({ age: 2 }, { email: 'u1@x.io' }).catch(({ code }) => code);
    expect(duplicateCodesOnChange).toContain(update);
    const found = await User.findOneAndUpdate({ age: 2 }, { email: 'u1@x.io' }).catch(({ code }) => code);
    expect(duplicateCodesOnChange).toContain(found);
    expect((await User.findOne({ age: 2 }))?.email).toBe('u2@x.io');
  });

  test('an update can keep the values of unique indexes and free them for other documents', async () => {
    const { User } = models;
    const { _id } = await User.create(createUser(1));
    await User.updateOne({ _id }, { $set: { email: 'u1@x.io', age: 9 } });
    await User.updateOne({ _id }, { $set: { email: 'moved@x.io' } });
    await User.create(createUser(1));
    expect(await User.countDocuments()).toBe(2);
  });

  test('a compound unique index compares all of its fields', async () => {
    const { Vote } = models;
    const user = createObjectId();
    await Vote.create([
      { user, item: 1 },
      { user, item: 2 },
      { user: createObjectId(), item: 1 },
    ]);
    await expect(Vote.create({ user, item: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  test('an _id is unique', async () => {
    await models.Post.create({ _id: 1 });
    await expect(models.Post.create({ _id: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  test('a sparse unique index ignores documents without the field', async () => {
    const { Sparse } = models;
    await Sparse.create([{ k: 'a' }, { k: 'b' }, { k: 'c', ext: 'e' }]);
    await expect(Sparse.create({ k: 'd', ext: 'e' })).rejects.toMatchObject({ code: 11000 });
    expect(await Sparse.countDocuments({ ext: null })).toBe(2);
    expect((await Sparse.find().sort({ ext: 1 })).map(({ k }) => k).at(-1)).toBe('c');
    expect(await Sparse.countDocuments({ ext: { $gt: '' } })).toBe(1);
  });

  test('a unique index treats a missing value as null; FerretDB does not, so no store may rely on it', async () => {
    const { User } = models;
    const build = await User.db.db?.command({ buildInfo: 1 });
    await User.create({ name: 'a' });
    const second = await User.create({ name: 'b' }).then(
      () => 'inserted',
      ({ code }) => code,
    );
    expect(second).toBe(build?.ferretdbVersion ? 'inserted' : 11000);
  });

  test('exactly one of several concurrent inserts of a unique value succeeds', async () => {
    const { User } = models;
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => User.create(createUser(1))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await User.countDocuments()).toBe(1);
  });

  test('indexes can be listed, and syncIndexes() changes nothing', async () => {
    const { User } = models;
    const names = (await User.listIndexes()).map(({ name }) => name).sort();
    expect(names).toEqual(['_id_', 'age_1_name_1', 'email_1']);
    expect(await User.syncIndexes()).toEqual([]);
  });

  test('a new index covers existing documents and is refused if they contain duplicates', async () => {
    const { Org } = models;
    await Org.insertMany([{ title: 'a' }, { title: 'b' }, { title: 'b' }]);
    const refused = await Org.collection
      .createIndex({ title: 1 }, { unique: true })
      .catch(({ code }) => code);
    expect(duplicateCodesOnChange).toContain(refused);
    await Org.deleteOne({ title: 'b' });
    await Org.collection.createIndex({ title: 1 }, { unique: true });
    await expect(Org.create({ title: 'a' })).rejects.toMatchObject({ code: 11000 });
    expect(await Org.countDocuments({ title: 'b' })).toBe(1);
    await Org.collection.dropIndex('title_1');
    await Org.create({ title: 'a' });
    expect(await Org.countDocuments({ title: 'a' })).toBe(2);
  });

  test('an index with an existing name and other options is refused', async () => {
    const { User } = models;
    await expect(User.collection.createIndex({ name: 1 }, { name: 'email_1' })).rejects.toMatchObject({
      code: 86,
    });
  });
});

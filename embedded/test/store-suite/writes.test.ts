import { describeStore } from './describe-store.ts';
import { createUser } from './models.ts';

describeStore((store, models) => {
  test('updateOne, updateMany, replaceOne and upserts report what they changed', async () => {
    const { User } = models;
    await User.insertMany([1, 2, 3].map((n) => createUser(n)));
    expect(await User.updateOne({ age: 1 }, { $set: { age: 10 } })).toMatchObject({
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 1,
      upsertedId: null,
    });
    expect(await User.updateMany({ age: { $in: [2, 3] } }, { $inc: { age: 100 } })).toMatchObject({
      modifiedCount: 2,
    });
    const upserted = await User.updateOne({ email: 'up@x.io' }, { $set: { name: 'up' } }, { upsert: true });
    expect(upserted).toMatchObject({ upsertedCount: 1, matchedCount: 0 });
    expect(await User.exists({ _id: upserted.upsertedId })).not.toBeNull();
    expect(await User.updateOne({ email: 'none' }, { $set: { name: 'x' } })).toMatchObject({
      matchedCount: 0,
    });
    expect(await User.replaceOne({ age: 10 }, createUser(77))).toMatchObject({ modifiedCount: 1 });
    expect((await User.find().sort('age').lean()).map(({ age }) => age)).toEqual([undefined, 77, 102, 103]);
  });

  test('an update without a change counts as matched but not modified', async () => {
    const { Org } = models;
    await Org.create({ title: 'same' });
    const result = await Org.updateOne({ title: 'same' }, { $set: { title: 'same' } });
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  });

  test('field operators: $min, $max, $inc, $unset', async () => {
    const { User } = models;
    const { _id } = await User.create(createUser(10));
    const read = async () => User.findById(_id).lean().orFail();
    await User.updateOne({ _id }, { $min: { age: 5 } });
    await User.updateOne({ _id }, { $max: { age: 4 } });
    expect((await read()).age).toBe(5);
    await User.updateOne({ _id }, { $max: { age: 7 } });
    await User.updateOne({ _id }, { $inc: { age: -1, 'prefs.n': 2 } });
    expect(await read()).toMatchObject({ age: 6, prefs: { theme: 'dark', n: 2 } });
    await User.updateOne({ _id }, { $unset: { age: 1 } });
    expect('age' in (await read())).toBe(false);
  });

  test('$unset leaves null in place of an element, and adds none after the last', async () => {
    const { User } = models;
    const { _id } = await User.create(createUser(1, { meta: { list: [1, 2] } }));
    await User.updateOne({ _id }, { $unset: { 'meta.list.2': 1 } });
    await User.updateOne({ _id }, { $unset: { 'meta.list.0': 1 } });
    // FerretDB removes the element.
    const list = store.isEmbedded ? [null, 2] : [2];
    expect((await User.findById(_id).lean().orFail()).meta).toEqual({ list });
  });

  test('an operator on a value of the wrong type is refused and changes nothing', async () => {
    const { User } = models;
    const { _id } = await User.create(createUser(1, { meta: { text: 'x' } }));
    await expect(User.updateOne({ _id }, { $inc: { 'meta.text': 1 } })).rejects.toMatchObject({ code: 14 });
    await expect(User.updateOne({ _id }, { $set: { 'meta.text.deeper': 1 } })).rejects.toMatchObject({
      code: 28,
    });
    expect((await User.findById(_id).lean().orFail()).meta).toEqual({ text: 'x' });
  });

  test('two changes of one path in the same update are refused', async () => {
    const { Org } = models;
    const change = Org.collection.updateOne(
      {},
      { $set: { title: 'a' }, $unset: { title: 1 } },
      { upsert: true },
    );
    await expect(change).rejects.toMatchObject({ code: 40 });
    expect(await Org.countDocuments()).toBe(0);
  });

  test('findOneAndUpdate returns the document before or after, upserts with $setOnInsert, and picks the first by sort order', async () => {
    const { User } = models;
    const filter = { email: 'n@x.io' };
    const insert = { $set: { age: 3 }, $setOnInsert: { name: 'new' } };
    expect(await User.findOneAndUpdate(filter, insert, { upsert: true })).toBeNull();
    const second = await User.findOneAndUpdate(
      filter,
      { $set: { age: 4 }, $setOnInsert: { name: 'NO' } },
      { upsert: true, returnDocument: 'after' },
    ).orFail();
    expect(second).toMatchObject({ name: 'new', age: 4, email: 'n@x.io' });
    expect(second.createdAt).toBeInstanceOf(Date);
    const before = await User.findOneAndUpdate(filter, { age: 5 }, { returnDocument: 'before' }).lean();
    expect(before).toMatchObject({ age: 4 });
    const result = await User.findOneAndUpdate(
      filter,
      { $inc: { age: 1 } },
      { includeResultMetadata: true, returnDocument: 'after' },
    );
    expect(result.value?.age).toBe(6);
    expect(result.lastErrorObject?.updatedExisting).toBe(true);
    await User.insertMany([createUser(50), createUser(51)]);
    const last = await User.findOneAndUpdate(
      { age: { $gte: 50 } },
      { $set: { 'prefs.n': 1 } },
      { sort: { age: -1 }, returnDocument: 'after' },
    );
    expect(last).toMatchObject({ name: 'u51', prefs: { n: 1 } });
  });

  test('findOneAndReplace and findOneAndDelete return null if nothing matches', async () => {
    const { User } = models;
    const { _id } = await User.create(createUser(1));
    const replaced = await User.findOneAndReplace({ _id }, createUser(2), { returnDocument: 'after' });
    expect(replaced?.name).toBe('u2');
    expect((await User.findOneAndDelete({ _id }))?.name).toBe('u2');
    expect(await User.findByIdAndDelete(_id)).toBeNull();
    expect(await User.findByIdAndUpdate(_id, { age: 1 })).toBeNull();
  });

  test('200 concurrent increments return 200 different numbers', async () => {
    const { Counter } = models;
    const next = () =>
      Counter.findOneAndUpdate(
        { _id: 'post' },
        { $inc: { seq: 1 } },
        { upsert: true, returnDocument: 'after' },
      );
    // Creates the counter first: on other servers, two concurrent upserts can fail with 11000.
    await next();
    const counts = await Promise.all(Array.from({ length: 199 }, next));
    const numbers = counts.map((counter) => counter?.seq ?? 0).sort((left, right) => left - right);
    expect(numbers).toEqual(Array.from({ length: 199 }, (_, n) => n + 2));
  });

  test('insertMany stops at a duplicate if ordered, otherwise it continues', async () => {
    const { User } = models;
    await User.create(createUser(1));
    const users = [createUser(0), createUser(1), createUser(2)];
    await expect(User.insertMany(users, { ordered: false })).rejects.toMatchObject({ code: 11000 });
    expect(await User.countDocuments()).toBe(3);
    await User.deleteMany({ age: { $ne: 1 } });
    await expect(User.insertMany(users)).rejects.toMatchObject({ code: 11000 });
    expect(await User.countDocuments()).toBe(2);
  });

  test('bulkWrite reports its counts and ids', async () => {
    const { User } = models;
    await User.insertMany([1, 2].map((n) => createUser(n)));
    const result = await User.bulkWrite([
      { insertOne: { document: createUser(5) } },
      { updateOne: { filter: { age: 1 }, update: { $set: { age: 11 } } } },
      { updateOne: { filter: { email: 'b@x.io' }, update: { $set: { name: 'b' } }, upsert: true } },
      { updateMany: { filter: { age: { $gt: 1 } }, update: { $inc: { age: 1 } } } },
      { deleteOne: { filter: { age: 3 } } },
      { replaceOne: { filter: { name: 'u5' }, replacement: createUser(6) } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      upsertedCount: 1,
      deletedCount: 1,
      modifiedCount: 5,
      matchedCount: 5,
    });
    expect(Object.keys(result.upsertedIds)).toHaveLength(1);
    expect(result.insertedIds[0]).toBeDefined();
  });

  test('bulkSave stores new and changed documents', async () => {
    const { User } = models;
    const existing = await User.create(createUser(1));
    existing.age = 5;
    await User.bulkSave([existing, new User(createUser(2))]);
    expect((await User.findById(existing._id))?.age).toBe(5);
    expect(await User.countDocuments()).toBe(2);
  });

  test('deletes remove one document, all matches, or all documents', async () => {
    const { User } = models;
    await User.insertMany([1, 2, 3, 4].map((n) => createUser(n)));
    expect(await User.deleteOne({ age: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await User.deleteMany({ age: { $lt: 4 } })).toMatchObject({ deletedCount: 2 });
    expect(await User.deleteMany({})).toMatchObject({ deletedCount: 1 });
    expect(await User.estimatedDocumentCount()).toBe(0);
  });
});

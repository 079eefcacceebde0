import { describeStore } from './describe-store.ts';
import { createUser } from './models.ts';

describeStore((_, models) => {
  /** Returns the sorted ages of the matching users. Each user has a different age. */
  async function findAges(filter: Record<string, unknown>): Promise<unknown[]> {
    return (await models.User.find(filter).sort('age')).map(({ age }) => age);
  }

  test('sort, skip, limit and projection work together', async () => {
    const { User } = models;
    await User.insertMany(Array.from({ length: 20 }, (_, n) => createUser(n)));
    const page = await User.find({ age: { $gte: 5 } })
      .sort({ age: -1 })
      .skip(2)
      .limit(3)
      .select('name -_id')
      .lean();
    expect(page).toEqual([{ name: 'u17' }, { name: 'u16' }, { name: 'u15' }]);
    const rest = await User.find().sort('age name').skip(18).lean();
    expect(rest.map(({ name }) => name)).toEqual(['u18', 'u19']);
  });

  test('projections exclude fields, also inside documents and arrays', async () => {
    const { User, Post } = models;
    await User.create(createUser(1, { meta: { a: 1, b: { c: 2, d: 3 } } }));
    const without = await User.findOne().select({ prefs: 0, 'meta.b.c': 0 }).lean().orFail();
    expect(without.prefs).toBeUndefined();
    expect(without.meta).toEqual({ a: 1, b: { d: 3 } });
    const only = await User.findOne().select({ 'meta.b.c': 1, _id: 0 }).lean();
    expect(only).toEqual({ meta: { b: { c: 2 } } });
    await Post.create({
      _id: 1,
      comments: [
        { by: 'a', n: 1 },
        { by: 'b', n: 2 },
      ],
    });
    const post = await Post.findOne({}, 'comments.by').lean();
    expect(post).toEqual({ _id: 1, comments: [{ by: 'a' }, { by: 'b' }] });
    const others = await Post.findOne({}, { 'comments.by': 0, 'comments._id': 0, __v: 0 }).lean();
    expect(others).toEqual({ _id: 1, comments: [{ n: 1 }, { n: 2 }] });
  });

  test('findOne returns null if nothing matches', async () => {
    await models.User.insertMany([1, 2, 3].map((n) => createUser(n)));
    expect((await models.User.findOne({ age: 2 }))?.name).toBe('u2');
    expect(await models.User.findOne({ age: 99 })).toBeNull();
  });

  test('comparison and logical operators', async () => {
    await models.User.insertMany([1, 2, 3].map((n) => createUser(n)));
    expect(await findAges({ age: { $in: [1, 3] } })).toEqual([1, 3]);
    expect(await findAges({ age: { $in: [] } })).toEqual([]);
    expect(await findAges({ age: { $nin: [1] } })).toEqual([2, 3]);
    expect(await findAges({ age: { $ne: 2 } })).toEqual([1, 3]);
    expect(await findAges({ age: { $gt: 1, $lte: 3 } })).toEqual([2, 3]);
    expect(await findAges({ $or: [{ age: 1 }, { name: 'u3' }] })).toEqual([1, 3]);
    expect(await findAges({ age: { $not: { $gt: 1 } } })).toEqual([1]);
    expect(await findAges({ org: null })).toEqual([1, 2, 3]);
  });

  test('every condition on a field applies, also several bounds on one side', async () => {
    const { User } = models;
    await User.insertMany([1, 2, 3, 4, 5, 6].map((n) => createUser(n)));
    const cases: [filter: Record<string, unknown>, ages: number[]][] = [
      [{ age: { $gt: 4, $gte: 2 } }, [5, 6]],
      [{ age: { $gte: 2, $gt: 4 } }, [5, 6]],
      [{ age: { $gt: 4, $gte: 4 } }, [5, 6]],
      [{ age: { $lt: 3, $lte: 5 } }, [1, 2]],
      [{ age: { $lte: 5, $lt: 3 } }, [1, 2]],
      [{ age: { $gt: 2, $gte: 1, $lt: 5, $lte: 6 } }, [3, 4]],
      [{ age: { $gt: 2, $lt: 6, $gte: 4 } }, [4, 5]],
      [{ age: { $gt: 4, $lt: 2 } }, []],
      [{ age: { $eq: 3, $gt: 4 } }, []],
      [{ age: { $gt: 2, $eq: 3 } }, [3]],
      [{ age: { $in: [2, 5], $gt: 4 } }, [5]],
      [{ age: { $lt: 4, $in: [2, 5] } }, [2]],
      [{ age: { $in: [1, 2], $nin: [1] } }, [2]],
    ];
    for (const [filter, ages] of cases) {
      expect([filter, await findAges(filter)]).toEqual([filter, ages]);
      expect([filter, await User.countDocuments(filter)]).toEqual([filter, ages.length]);
    }
  });

  test('different elements of an array may satisfy the bounds of a range', async () => {
    const { User } = models;
    await User.collection.createIndex({ tags: 1 });
    await User.insertMany([createUser(1, { tags: ['a', 'z'] }), createUser(2, { tags: ['m'] })]);
    expect(await findAges({ tags: { $gt: 'x', $gte: 'b', $lt: 'c' } })).toEqual([1]);
    expect(await User.countDocuments({ tags: { $gte: 'b', $lt: 'c' } })).toBe(1);
    await User.collection.dropIndex('tags_1');
  });

  test('arrays match by element and position', async () => {
    const { User, Post } = models;
    await User.insertMany([
      createUser(1, { tags: ['a', 'b'] }),
      createUser(2, { tags: ['b'] }),
      createUser(3),
    ]);
    expect(await findAges({ tags: 'b' })).toEqual([1, 2]);
    expect(await findAges({ tags: { $ne: 'a' } })).toEqual([2, 3]);
    expect(await findAges({ tags: { $in: ['a', 'x'] } })).toEqual([1]);
    expect(await findAges({ 'tags.0': 'b' })).toEqual([2]);
    await Post.create({
      _id: 1,
      comments: [
        { by: 'a', n: 1 },
        { by: 'b', n: 9 },
      ],
    });
    expect(await Post.countDocuments({ 'comments.by': 'a', 'comments.n': 9 })).toBe(1);
  });

  test('types are strict: the text 1 is not the number 1, and a range includes one type only', async () => {
    const { User } = models;
    await User.create(createUser(1, { meta: { v: 1 } }));
    await User.create(createUser(2, { meta: { v: '1' } }));
    await User.create(createUser(3, { meta: { v: null } }));
    await User.create(createUser(4));
    expect(await findAges({ 'meta.v': '1' })).toEqual([2]);
    expect(await findAges({ 'meta.v': 1 })).toEqual([1]);
    expect(await findAges({ 'meta.v': { $lt: 5 } })).toEqual([1]);
    expect(await findAges({ 'meta.v': { $gte: '' } })).toEqual([2]);
    expect(await findAges({ 'meta.v': null })).toEqual([3, 4]);
  });

  test('a regular expression finds literal text anywhere, also escaped characters', async () => {
    const { User } = models;
    const names = ['Alpha', 'alphabet', 'beta', 'a.b'];
    await User.insertMany(names.map((name, n) => createUser(n, { name })));
    expect(await findAges({ name: /eta/ })).toEqual([2]);
    expect(await findAges({ name: /lpha/ })).toEqual([0, 1]);
    expect(await findAges({ name: /alpha/ })).toEqual([1]);
    expect(await findAges({ name: /a\.b/ })).toEqual([3]);
  });

  test('long bounds find every value that shares their start', async () => {
    const { User } = models;
    const start = 'x'.repeat(200);
    // Enough values for every first byte of a hash, which the embedded database appends to a truncated index key.
    const emails = Array.from({ length: 3000 }, (_, n) => `${start}${n}`);
    await User.collection.insertMany(emails.map((email) => ({ email })));
    expect(await User.countDocuments({ email: { $lte: `${start}~` } })).toBe(3000);
    expect(await User.countDocuments({ email: { $gte: start, $lt: `${start}~` } })).toBe(3000);
    expect(await User.countDocuments({ email: { $gte: `${start}1`, $lt: `${start}2` } })).toBe(1111);
  });

  test('dates have ranges and an order', async () => {
    const { Post } = models;
    const day = (month: number) => new Date(Date.UTC(2024, month, 1));
    await Post.insertMany([1, 2, 3, 4].map((month) => ({ _id: month, at: day(month) })));
    const found = await Post.find({ at: { $gte: day(2), $lt: day(4) } }).sort({ at: -1 });
    expect(found.map(({ _id }) => _id)).toEqual([3, 2]);
  });

  test('object ids have equality, lists, an order and ranges', async () => {
    const { Org } = models;
    const [first, second, third] = await Org.insertMany(['t1', 't2', 't3'].map((title) => ({ title })));
    expect(await Org.countDocuments({ _id: { $in: [first?._id, third?._id] } })).toBe(2);
    expect(await Org.countDocuments({ _id: { $ne: second?._id } })).toBe(2);
    expect((await Org.find().sort({ _id: -1 })).map(({ title }) => title)).toEqual(['t3', 't2', 't1']);
    const later = await Org.find({ _id: { $gt: first?._id } }).sort({ _id: 1 });
    expect(later.map(({ title }) => title)).toEqual(['t2', 't3']);
  });

  test('missing values sort first, text sorts by its bytes, and further fields break ties', async () => {
    const { User } = models;
    await User.insertMany([
      createUser(1, { name: 'b' }),
      createUser(2, { name: 'B' }),
      { name: 'a', email: 'z@x' },
    ]);
    expect((await User.find().sort({ name: 1 })).map(({ name }) => name)).toEqual(['B', 'a', 'b']);
    expect((await User.find().sort({ age: 1 })).map(({ age }) => age)).toEqual([undefined, 1, 2]);
    expect((await User.find().sort({ age: -1, name: 1 })).map(({ age }) => age)).toEqual([2, 1, undefined]);
  });

  test('counts: all documents, with a filter, with a limit', async () => {
    const { User } = models;
    await User.insertMany([1, 2, 3, 4].map((n) => createUser(n)));
    expect(await User.estimatedDocumentCount()).toBe(4);
    expect(await User.countDocuments()).toBe(4);
    expect(await User.countDocuments({ age: { $gt: 1 } })).toBe(3);
    expect(await User.countDocuments({ name: { $ne: 'u1' } })).toBe(3);
    expect(await User.countDocuments({}, { limit: 2 })).toBe(2);
    expect(await User.countDocuments({ age: 99 })).toBe(0);
  });

  test('distinct: values, array elements, with a filter, object ids', async () => {
    const { User, Org } = models;
    const org = await Org.create({ title: 'x' });
    await User.insertMany([
      createUser(1, { tags: ['a', 'b'], org: org._id }),
      createUser(2, { tags: ['b', 'c'], org: org._id }),
    ]);
    expect((await User.distinct('tags')).sort()).toEqual(['a', 'b', 'c']);
    expect(await User.distinct('age', { age: { $gt: 1 } })).toEqual([2]);
    expect((await User.distinct('org')).map(String)).toEqual([String(org._id)]);
  });

  test('a cursor returns thousands of documents in batches, in order and without duplicates', async () => {
    const { Post } = models;
    await Post.insertMany(Array.from({ length: 2500 }, (_, n) => ({ _id: n, score: n % 7 })));
    const ids: unknown[] = [];
    for await (const post of Post.find({ score: 3 }).sort({ _id: 1 }).cursor({ batchSize: 50 }))
      ids.push(post._id);
    expect(ids).toEqual(Array.from({ length: 357 }, (_, n) => n * 7 + 3));
    let all = 0;
    await Post.find()
      .lean()
      .cursor()
      .eachAsync(
        () => {
          all += 1;
        },
        { parallel: 8 },
      );
    expect(all).toBe(2500);
    let sum = 0;
    for await (const post of Post.aggregate([{ $match: { score: 2 } }]).cursor()) sum += post.score;
    expect(sum).toBe(714);
  });

  test('a cursor can be closed before its end', async () => {
    const { Post } = models;
    await Post.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: n })));
    const cursor = Post.find().cursor({ batchSize: 10 });
    expect(await cursor.next()).not.toBeNull();
    await cursor.close();
    expect(await Post.countDocuments()).toBe(300);
  });

  test('common driver options are accepted', async () => {
    await models.User.create(createUser(1));
    const found = await models.User.find().maxTimeMS(1000).comment('x').read('primary').hint({ _id: 1 });
    expect(found).toHaveLength(1);
  });
});

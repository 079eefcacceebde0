import { Types } from 'mongoose';
import { describeStore } from './describe-store.ts';
import { createUser } from './models.ts';

describeStore((store, models) => {
  test('a document is read with the types it was saved with', async () => {
    const { User, Org } = models;
    const org = await Org.create({ title: 'o' });
    const meta = { deep: [1, { z: new Date(5) }] };
    const user = await User.create(createUser(1, { org: org._id, tags: ['a', 'b'], meta, m: { k: 3 } }));
    const found = await User.findById(user._id).orFail();
    expect(found._id).toBeInstanceOf(Types.ObjectId);
    expect(found.org).toBeInstanceOf(Types.ObjectId);
    expect(found.createdAt).toBeInstanceOf(Date);
    expect([...found.tags]).toEqual(['a', 'b']);
    expect(found.prefs?.theme).toBe('dark');
    expect(found.meta).toEqual(meta);
    expect(found.m?.get('k')).toBe(3);
  });

  test('bytes, null, 0, negative numbers, fractions and large integers are stored exactly', async () => {
    const { Post } = models;
    await Post.create({ _id: -1, body: Buffer.from([1, 2, 255]), title: null, score: 0.1 });
    await Post.create({ _id: 0, score: Number.MAX_SAFE_INTEGER });
    const [negative, zero] = await Post.find().sort({ _id: 1 });
    expect(negative?._id).toBe(-1);
    expect([...(negative?.body ?? [])]).toEqual([1, 2, 255]);
    expect(negative?.title).toBeNull();
    expect(negative?.score).toBe(0.1);
    expect(zero?._id).toBe(0);
    expect(zero?.score).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('text in any script is stored exactly', async () => {
    const { Org } = models;
    for (const title of ['日本語', '😀👩‍👩‍👧', 'שלום', 'e\u0301', 'é', 'a\u0000b', '']) {
      const { _id } = await Org.create({ title });
      expect((await Org.findOne({ _id, title }).orFail()).title).toBe(title);
    }
  });

  test('save() stores changed fields, arrays and the time of the update', async () => {
    const { User } = models;
    const user = await User.create(createUser(1));
    user.age = 44;
    user.tags = ['q'];
    await user.save();
    const found = await User.findById(user._id).orFail();
    expect(found.age).toBe(44);
    expect([...found.tags]).toEqual(['q']);
    expect(found.updatedAt).toEqual(user.updatedAt);
    found.tags = ['x', 'y'];
    await found.save();
    expect((await User.findById(user._id).orFail()).tags).toHaveLength(2);
  });

  test('doc.deleteOne() deletes the document, and exists() no longer finds it', async () => {
    const { User } = models;
    const user = await User.create(createUser(1));
    expect(await User.exists({ email: 'u1@x.io' })).not.toBeNull();
    await user.deleteOne();
    expect(await User.exists({ _id: user._id })).toBeNull();
  });

  test('populate follows direct, virtual and nested references', async () => {
    const { User, Org, Post } = models;
    const org = await Org.create({ title: 'org' });
    const user = await User.create(createUser(1, { org: org._id }));
    await Post.insertMany([
      { _id: 1, author: user._id, title: 'p1' },
      { _id: 2, author: user._id, title: 'p2' },
    ]);
    const found = await User.findById(user._id).populate('org').populate('posts').orFail();
    expect(found.org).toMatchObject({ title: 'org' });
    const posts: unknown = found.get('posts');
    expect(posts).toMatchObject([{ title: 'p1' }, { title: 'p2' }]);
    const post = await Post.findById(1)
      .populate({ path: 'author', select: 'name', populate: { path: 'org' } })
      .lean();
    expect(post?.author).toMatchObject({ name: 'u1' });
  });

  test('discriminators separate the models of a collection', async () => {
    const { Base, Sub } = models;
    await Sub.create({ x: 1, y: 2 });
    await Base.create({ x: 5 });
    expect(await Sub.countDocuments()).toBe(1);
    const found = await Base.findOne({ x: 1 });
    expect(found).toBeInstanceOf(Sub);
    expect(found?.get('y')).toBe(2);
  });

  test('updates change updatedAt and preserve createdAt', async () => {
    const { User } = models;
    const user = await User.create(createUser(1, { createdAt: new Date(1000), updatedAt: new Date(1000) }));
    await User.updateOne({ _id: user._id }, { age: 2 });
    const found = await User.findById(user._id).orFail();
    expect(found.updatedAt.getTime()).toBeGreaterThan(user.createdAt.getTime());
    expect(found.createdAt).toEqual(user.createdAt);
  });

  test('changing a document that was read does not change the stored one', async () => {
    const { User } = models;
    await User.create(createUser(1, { meta: { a: [1] } }));
    const read = await User.findOne().lean().orFail();
    read.meta.a.push(2);
    read.name = 'other';
    expect(await User.findOne().lean()).toMatchObject({ name: 'u1', meta: { a: [1] } });
  });

  test('schemas refuse invalid documents before anything is written', async () => {
    await expect(models.User.create({})).rejects.toMatchObject({ name: 'ValidationError' });
    expect(await models.User.countDocuments()).toBe(0);
  });

  test('documents, indexes and types survive a restart', async () => {
    const org = new Types.ObjectId();
    await models.User.create(createUser(1, { org, meta: { d: new Date(7) } }));
    await models.Vote.create({ user: org, item: 1 });
    await store.reopen();
    const found = await models.User.findOne({ org }).orFail();
    expect(found.name).toBe('u1');
    expect(found.meta.d).toEqual(new Date(7));
    await expect(models.Vote.create({ user: org, item: 1 })).rejects.toMatchObject({ code: 11000 });
    expect(await models.User.estimatedDocumentCount()).toBe(1);
  });
});

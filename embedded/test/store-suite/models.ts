import { type Connection, Schema, Types } from 'mongoose';

/** Creates the models of the suite with their indexes. */
export async function createModels(connection: Connection) {
  const user = new Schema(
    {
      name: { type: String, required: true },
      email: { type: String, unique: true, lowercase: true },
      age: Number,
      tags: [String],
      prefs: { theme: { type: String, default: 'dark' }, n: Number },
      org: { type: Schema.Types.ObjectId, ref: 'Org' },
      meta: Schema.Types.Mixed,
      m: { type: Map, of: Number },
    },
    { timestamps: true },
  );
  user.index({ age: 1, name: 1 });
  user.virtual('posts', { ref: 'Post', localField: '_id', foreignField: 'author' });
  const post = new Schema({
    _id: Number,
    author: { type: Schema.Types.ObjectId, ref: 'User' },
    title: String,
    at: Date,
    score: Number,
    body: Buffer,
    comments: [{ by: String, n: Number }],
  });
  post.index({ at: -1 });
  const vote = new Schema({ user: Schema.Types.ObjectId, item: Number, v: Number });
  vote.index({ user: 1, item: 1 }, { unique: true });
  const sparse = new Schema({ k: String, ext: String });
  sparse.index({ ext: 1 }, { unique: true, sparse: true });
  const base = new Schema({ kind: String, x: Number }, { discriminatorKey: 'kind' });
  const Base = connection.model('Base', base);
  const models = {
    User: connection.model('User', user),
    Org: connection.model('Org', new Schema({ title: String })),
    Counter: connection.model('Counter', new Schema({ _id: String, seq: { type: Number, default: 0 } })),
    Post: connection.model('Post', post),
    Vote: connection.model('Vote', vote),
    Sparse: connection.model('Sparse', sparse),
    Base,
    Sub: Base.discriminator('Sub', new Schema({ y: Number })),
  };
  await Promise.all(Object.values(models).map((model) => model.init()));
  return models;
}

export type Models = Awaited<ReturnType<typeof createModels>>;

export async function clearModels(models: Models): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.collection.deleteMany({})));
}

export function createUser(n: number, fields: Record<string, unknown> = {}) {
  return { name: `u${n}`, email: `u${n}@x.io`, age: n, ...fields };
}

export function createObjectId(): Types.ObjectId {
  return new Types.ObjectId();
}

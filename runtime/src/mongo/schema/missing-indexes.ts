import type { Connection, IndexDefinition, mongo } from 'mongoose';
import { StartError } from '../../process/start-error.ts';
import { isDuplicateKey } from '../database-errors.ts';

/** An index that a model declares. */
export type DeclaredIndex = {
  collection: string;
  /** the order of the fields matters */
  key: Record<string, 1 | -1>;
  unique: boolean;
  sparse: boolean;
};

/** The code of MongoDB when a collection does not exist. */
const namespaceNotFound = 26;

/**
 * The indexes that the models of the connection declare and the database does not have. Writes nothing. Only collections
 * that exist are asked: a new database has none, and each question at the same time would open a connection.
 */
export async function findMissingIndexes(connection: Connection): Promise<DeclaredIndex[]> {
  const declaredOf = Object.entries(declaredIndexes(connection));
  if (declaredOf.length === 0) return [];
  const collections = new Set((await connection.listCollections()).map(({ name }) => name));
  const missing = await Promise.all(
    declaredOf.map(async ([collection, declared]) => {
      if (!collections.has(collection)) return declared;
      const existing = new Set((await listIndexes(connection, collection)).map(identify));
      return declared.filter((index) => !existing.has(identify(index)));
    }),
  );
  return missing.flat();
}

/**
 * Creates indexes, all of one collection at a time.
 * @param onCollection called before those of a collection are built
 * @throws StartError when the data does not allow one
 */
export async function createIndexes(
  connection: Connection,
  indexes: readonly DeclaredIndex[],
  onCollection: (collection: string, indexes: readonly DeclaredIndex[]) => void = () => {},
): Promise<void> {
  for (const [collection, ofCollection] of Object.entries(groupByCollection(indexes))) {
    onCollection(collection, ofCollection);
    try {
      await connection.collection(collection).createIndexes(ofCollection.map(toSpecification));
    } catch (cause) {
      throw explain(cause, `${connection.name}.${collection}`);
    }
  }
}

/** Options that are not set are left out, because not every server knows them. */
function toSpecification({ key, unique, sparse }: DeclaredIndex): mongo.IndexDescription {
  const specification: mongo.IndexDescription = { key };
  if (unique) specification.unique = true;
  if (sparse) specification.sparse = true;
  return specification;
}

/** For example `terms (store, due_at)`. */
export function describeIndex({ collection, key, unique }: DeclaredIndex): string {
  return `${collection} (${Object.keys(key).join(', ')}${unique ? '; unique' : ''})`;
}

function declaredIndexes(connection: Connection): Record<string, DeclaredIndex[]> {
  return groupByCollection(
    Object.values(connection.models).flatMap(({ schema, collection }) =>
      schema.indexes().map(([key, { unique, sparse }]) => ({
        collection: collection.name,
        key: toKey(key),
        unique: Boolean(unique),
        sparse: Boolean(sparse),
      })),
    ),
  );
}

function toKey(key: IndexDefinition): Record<string, 1 | -1> {
  return Object.fromEntries(Object.entries(key).map(([path, order]) => [path, order === -1 ? -1 : 1]));
}

function groupByCollection(indexes: readonly DeclaredIndex[]): Record<string, DeclaredIndex[]> {
  const groups: Record<string, DeclaredIndex[]> = {};
  for (const index of indexes) {
    groups[index.collection] ??= [];
    groups[index.collection]?.push(index);
  }
  return groups;
}

async function listIndexes(
  connection: Connection,
  collection: string,
): Promise<mongo.IndexDescriptionInfo[]> {
  try {
    return await connection.collection(collection).indexes();
  } catch (error) {
    if ((error as { code?: unknown }).code === namespaceNotFound) return [];
    throw error;
  }
}

/**
 * Two indexes with the same text are the same, whatever their names. FerretDB does not say whether an index is sparse, so
 * a change of that alone is not seen: it needs a migration.
 */
function identify({ key, unique = false }: Pick<mongo.IndexDescriptionInfo, 'key' | 'unique'>): string {
  return JSON.stringify([Object.entries(key), unique]);
}

function explain(error: unknown, collection: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (isDuplicateKey(error))
    return new StartError(`A unique index of ${collection} cannot be created: ${message}.`, { cause: error });
  // IndexOptionsConflict and IndexKeySpecsConflict
  if (code === 85 || code === 86)
    return new StartError(`An index of ${collection} exists with other options: ${message}. Drop it first.`, {
      cause: error,
    });
  return error;
}

import { toBsonEach } from '../semantics/bson.ts';
import { checkFilter } from '../semantics/check-filter.ts';
import { badValue, CommandError } from '../semantics/command-error.ts';
import { createMatcher } from '../semantics/match.ts';
import type { Command } from './command.ts';
import { createNamespaceNotFoundError } from './indexes.ts';
import { readString } from './read-option.ts';

export const create: Command = {
  isWrite: true,
  options: [],
  run(request, { db, catalog }) {
    const name = readString(request, 'create');
    checkCollectionName(name);
    if (catalog.find(db, name)) {
      throw new CommandError(48, 'NamespaceExists', `Collection ${db}.${name} already exists.`);
    }
    catalog.findOrCreate(db, name);
    return {};
  },
};

export const drop: Command = {
  isWrite: true,
  options: [],
  run(request, { db, catalog }) {
    const name = readString(request, 'drop');
    if (!catalog.drop(db, name)) throw createNamespaceNotFoundError(`${db}.${name}`);
    return { ns: `${db}.${name}` };
  },
};

export const dropDatabase: Command = {
  isWrite: true,
  options: [],
  run(_request, { db, catalog }) {
    for (const name of catalog.namesIn(db)) catalog.drop(db, name);
    return { dropped: db };
  },
};

export const listCollections: Command = {
  isWrite: false,
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run(request, { db, catalog, cursors, connection }) {
    const matches = createMatcher(checkFilter(request.filter));
    const docs = catalog
      .namesIn(db)
      .map((name) => ({ name, type: 'collection', options: {}, info: { readOnly: false } }))
      .filter(matches);
    return cursors.open({
      namespace: `${db}.$cmd.listCollections`,
      docs: toBsonEach(docs),
      connection,
      batchSize: docs.length,
    });
  },
};

export const listDatabases: Command = {
  isWrite: false,
  options: ['nameOnly', 'authorizedDatabases'],
  run(_request, { catalog }) {
    // A database has no size of its own, because all of them share one file.
    const databases = catalog.databases().map((name) => ({ name, sizeOnDisk: 0, empty: false }));
    return { databases, totalSize: 0 };
  },
};

function checkCollectionName(name: string): void {
  if (name.startsWith('system.') || /[$\0]/.test(name)) throw badValue(`invalid collection name '${name}'`);
}

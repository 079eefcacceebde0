import { checkFilter } from '../semantics/check-filter.ts';
import { badValue, CommandError } from '../semantics/command-error.ts';
import { createMatcher } from '../semantics/match.ts';
import type { Command } from './command.ts';
import { namespaceNotFound } from './indexes.ts';
import { readString } from './read-option.ts';

export const create: Command = {
  writes: true,
  options: [],
  run(request, { db, catalogue }) {
    const name = readString(request, 'create');
    checkCollectionName(name);
    if (catalogue.find(db, name)) {
      throw new CommandError(48, 'NamespaceExists', `Collection ${db}.${name} already exists.`);
    }
    catalogue.findOrCreate(db, name);
    return {};
  },
};

export const drop: Command = {
  writes: true,
  options: [],
  run(request, { db, catalogue }) {
    const name = readString(request, 'drop');
    if (!catalogue.drop(db, name)) throw namespaceNotFound(`${db}.${name}`);
    return { ns: `${db}.${name}` };
  },
};

export const dropDatabase: Command = {
  writes: true,
  options: [],
  run(_request, { db, catalogue }) {
    for (const name of catalogue.namesIn(db)) catalogue.drop(db, name);
    return { dropped: db };
  },
};

export const listCollections: Command = {
  writes: false,
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run(request, { db, catalogue, cursors, client }) {
    const matches = createMatcher(checkFilter(request.filter));
    const docs = catalogue
      .namesIn(db)
      .map((name) => ({ name, type: 'collection', options: {}, info: { readOnly: false } }))
      .filter(matches);
    return cursors.start({ namespace: `${db}.$cmd.listCollections`, docs, client, batchSize: docs.length });
  },
};

export const listDatabases: Command = {
  writes: false,
  options: ['nameOnly', 'authorizedDatabases'],
  run(_request, { catalogue }) {
    const databases = catalogue.databases().map((name) => ({ name, sizeOnDisk: 0, empty: false }));
    return { databases, totalSize: 0 };
  },
};

function checkCollectionName(name: string): void {
  if (name.startsWith('system.') || /[$\0]/.test(name)) throw badValue(`invalid collection name '${name}'`);
}

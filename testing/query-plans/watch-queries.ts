import mongoose from 'mongoose';
import { type Query, queriesOf } from './query-shapes.ts';

/** A comment of the commands that tests send, which are not those of the product. */
const ofTest = 'sent by a test';

/** Where the options are in the arguments of a collection's methods that select documents. */
const optionsAt = {
  find: 1,
  findOne: 1,
  aggregate: 1,
  countDocuments: 1,
  distinct: 2,
  updateOne: 2,
  updateMany: 2,
  replaceOne: 2,
  deleteOne: 1,
  deleteMany: 1,
  findOneAndUpdate: 2,
  findOneAndReplace: 2,
  findOneAndDelete: 1,
  bulkWrite: 1,
} as const;

let listener: ((query: Query) => void) | null = null;
let isInstalled = false;

/**
 * Calls `onQuery` for the queries of every mongoose connection that is created from now on, until the returned function
 * or `watchQueries` is called again. Commands that a test sends itself are left out: those of a collection that is called by a file of tests.
 */
export function watchQueries(onQuery: (query: Query) => void): () => void {
  if (!isInstalled) install();
  isInstalled = true;
  listener = onQuery;
  return stopWatching;
}

/** Also for a file that could not be loaded, which ran none of its hooks. */
export function stopWatching(): void {
  listener = null;
}

/** Once per process, because tests share its modules. */
function install(): void {
  markCommandsOfTests();
  markQueriesOfTests();
  noticeSentQueries();
  const create = mongoose.createConnection.bind(mongoose) as typeof mongoose.createConnection;
  mongoose.createConnection = ((uri?: string, options?: mongoose.ConnectOptions) => {
    if (uri === undefined) return create();
    const connection = create(uri, { ...options, monitorCommands: true });
    // It has none when its address is wrong.
    connection.getClient()?.on('commandStarted', ({ commandName, command }) => {
      if (command.comment === ofTest) return;
      for (const query of queriesOf(commandName, command)) listener?.(query);
    });
    return connection;
  }) as typeof create;
}

function markCommandsOfTests(): void {
  // Mongoose's collections, which call those of the driver or take the short way to an engine in this process.
  const prototype: Record<string, (...args: unknown[]) => unknown> = Object.getPrototypeOf(
    mongoose.createConnection().collection('any'),
  );
  for (const [name, at] of Object.entries(optionsAt)) {
    const method = prototype[name];
    if (!method) throw new Error(`a collection has no method ${name}`);
    prototype[name] = function (this: unknown, ...args) {
      if (isUnmarked()) return method.apply(this, args);
      const marked = [...args];
      while (marked.length < at) marked.push(undefined);
      marked[at] = { ...(args[at] as object | undefined), comment: ofTest };
      return method.apply(this, marked);
    };
  }
}

/** Methods of a model that return a query, which is sent when it is awaited. */
const queryMethods = [
  'find',
  'findOne',
  'findById',
  'countDocuments',
  'distinct',
  'exists',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findByIdAndUpdate',
] as const;

function markQueriesOfTests(): void {
  const methods = mongoose.Model as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of queryMethods) {
    const method = methods[name];
    if (!method) throw new Error(`a model has no method ${name}`);
    methods[name] = function (this: unknown, ...args) {
      const query = method.apply(this, args);
      if (query instanceof mongoose.Query && listener && isCalledByTest())
        query.setOptions({ comment: ofTest });
      return query;
    };
  }
}

/** Whether mongoose sends a query now, for which `markQueriesOfTests` has found the caller: a stack costs time. */
let isQuerySent = false;

function isUnmarked(): boolean {
  return listener === null || isQuerySent || !isCalledByTest();
}

function noticeSentQueries(): void {
  const prototype = mongoose.Query.prototype as unknown as Record<string, unknown>;
  for (const name of Object.keys(prototype)) {
    const send = prototype[name];
    if (!/^__?(find|count|distinct|update|delete)/.test(name) || typeof send !== 'function') continue;
    prototype[name] = function (this: unknown, ...args: unknown[]) {
      isQuerySent = true;
      try {
        // Calls the driver before it waits.
        return send.apply(this, args);
      } finally {
        isQuerySent = false;
      }
    };
  }
}

/**
 * Whether the nearest code outside of packages that calls synchronously is a test. What is sent later, without such a
 * caller, counts as sent by the product.
 */
function isCalledByTest(): boolean {
  const caller = callSites().find((site) => {
    const file = site.getFileName() ?? '';
    return (
      !file.includes('/node_modules/') && !file.endsWith('/watch-queries.ts') && !file.startsWith('node:')
    );
  });
  return /\/test\/|\/testing\/|\.test\.ts$/.test(caller?.getFileName() ?? '');
}

/** More than mongoose and the driver have between a method and its caller. A stack is taken twice a command. */
const framesToCaller = 12;

function callSites(): NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: NodeJS.CallSite[] } = {};
  try {
    Error.stackTraceLimit = framesToCaller;
    Error.prepareStackTrace = (_, sites) =>
      sites.filter((site) => !(site as { isAsync?(): boolean }).isAsync?.());
    Error.captureStackTrace(holder);
    return holder.stack ?? [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

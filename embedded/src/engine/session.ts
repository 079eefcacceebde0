import type { Command } from './command.ts';

export const ping: Command = { isWrite: false, options: [], run: () => ({}) };

/** Sessions have no state here: there are no transactions and no retryable writes. */
export const endSessions: Command = { isWrite: false, options: [], run: () => ({}) };

export const buildInfo: Command = {
  isWrite: false,
  options: [],
  run: () => ({
    version: '8.0.0',
    versionArray: [8, 0, 0, 0],
    modules: [],
    maxBsonObjectSize: 16 * 1024 * 1024,
  }),
};

/** Describes a standalone server. Drivers then send no transaction numbers and do not retry writes on their own. */
export const hello: Command = {
  isWrite: false,
  options: 'any',
  run: (_request, { now }) => ({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: now(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
  }),
};

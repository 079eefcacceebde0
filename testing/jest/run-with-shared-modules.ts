import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { compileFunction, runInNewContext } from 'node:vm';
import { createScriptTransformer } from '@jest/transform';
import type { Config } from '@jest/types';
import type SharedEnvironment from './shared-environment.ts';

/** What jest-circus calls of jest's runtime, and what is called of it here. */
type Runtime = {
  getSourceMaps(): Map<string, string>;
  requireModuleOrMock(from: string, name: string): unknown;
  setGlobalsForRuntime(globals: object): void;
};

type RunCircus = (
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  environment: object,
  runtime: object,
  testPath: string,
  sendMessageToJest: unknown,
) => Promise<unknown>;

const require = createRequire(import.meta.url);
const { default: runCircus } = require('jest-circus/runner') as { default: RunCircus };
/** Where jest-circus keeps the handlers of a file, and looks for the timeout that a file sets. */
const circusHandlers = Symbol.for('EVENT_HANDLERS');
const testTimeout = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** The real ones. */
const timers = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };
/** They have no effect on modules that Node loads. */
const refusedMethods = ['mock', 'unmock', 'doMock', 'dontMock', 'setMock', 'resetModules', 'isolateModules'];

/** The source map of each loaded file, by the path of the file. */
const sourceMaps = new Map<string, string>();
let onLoaded: (file: string, map: string) => void = () => {};
let isTypeScriptLoaded = false;

/**
 * Runs a file of tests (`testRunner` of jest) with Node's own module loader, so that the modules that it imports are
 * loaded once per process and not once per file, which would take most of the time of a small file. Only the file itself
 * and jest-circus, which holds the state of a file, are loaded anew. Tests replace dependencies, not modules: `jest.mock`
 * is refused.
 */
export default async function runWithSharedModules(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  environment: SharedEnvironment,
  runtime: Runtime,
  testPath: string,
  sendMessageToJest: unknown,
): Promise<unknown> {
  if (!isTypeScriptLoaded) await loadTypeScript(config);
  isTypeScriptLoaded = true;
  onLoaded = (file, map) => runtime.getSourceMaps().set(file, map);
  for (const [file, map] of sourceMaps) onLoaded(file, map);
  const before = { console: globalThis.console, env: { ...process.env } };
  globalThis.console = environment.global.console;
  for (const symbol of [circusHandlers, testTimeout]) Reflect.deleteProperty(globalThis, symbol);
  // jest raises it to 100, and gRPC takes a stack for each call.
  Error.stackTraceLimit = 20;
  const shared = Object.assign(Object.create(runtime), {
    requireInternalModule: requireCircus,
    requireModule: requireAnew,
    unstable_shouldLoadAsEsm: () => false,
    setGlobalsForRuntime(globals: object) {
      runtime.setGlobalsForRuntime(globals);
      const { jest } = runtime.requireModuleOrMock(testPath, '@jest/globals') as { jest: object };
      const refused = Object.fromEntries(refusedMethods.map((name) => [name, () => refuse(name)]));
      Object.assign(globalThis, { jest: { ...jest, ...refused, setTimeout: setTestTimeout } });
    },
  });
  const inProcess = Object.assign(Object.create(environment), { global: globalThis });
  try {
    return await runCircus(globalConfig, config, inProcess, shared, testPath, sendMessageToJest);
  } finally {
    // jest does so before each test. After the last one, the next file would have what it replaced.
    environment.moduleMocker.restoreAllMocks();
    environment.fakeTimersModern.useRealTimers();
    // A spy on a fake timer that is restored after the real ones has brought the fake one back.
    Object.assign(globalThis, timers);
    globalThis.console = before.console;
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
    delete require.cache[testPath];
    forgetFile();
    collectGarbage(globalConfig.workerIdleMemoryLimit);
  }
}

/**
 * Jest replaces a worker that has this many bytes, and counts those that nothing refers to any more. To load all modules in a
 * new one takes many times as long as to collect them.
 */
function collectGarbage(limit: Config.GlobalConfig['workerIdleMemoryLimit']): void {
  if (typeof limit !== 'number' || process.memoryUsage().heapUsed <= limit) return;
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** jest-circus keeps the hooks of each file, and all that they refer to, under a symbol of its own. */
function forgetFile(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === 'JEST_STATE_SYMBOL') Reflect.deleteProperty(globalThis, symbol);
}

function refuse(method: string): never {
  throw new Error(`jest.${method} has no effect on shared modules: a test passes what it replaces`);
}

function setTestTimeout(ms: number): void {
  Object.assign(globalThis, { [testTimeout]: ms });
}

function requireAnew(path: string): unknown {
  delete require.cache[path];
  const exports = require(path);
  // Node's loader keeps each module in the list of the one that required it.
  const parent = require.cache[path]?.parent;
  if (parent) parent.children.length = 0;
  return exports;
}

/** Stands in for an AsyncLocalStorage where one test runs after another. */
class CurrentTest {
  #context: unknown;

  run<Result>(context: unknown, work: () => Result): Result {
    this.#context = context;
    return work();
  }

  getStore(): unknown {
    return this.#context;
  }
}

/**
 * jest-circus finds the test of an unhandled rejection with an AsyncLocalStorage, which before Node 24 makes every promise
 * slower, and the tests of services by a fifth.
 */
function requireCircus(path: string): unknown {
  const asyncHooks = require('node:async_hooks') as object;
  const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage') as PropertyDescriptor;
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { configurable: true, value: CurrentTest });
  try {
    return evaluateAnew(path);
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
  }
}

const compiled = new Map<string, ReturnType<typeof compileFunction>>();

/** What a script exports, whose state is new. It is compiled once: that takes longer than to run it. */
function evaluateAnew(path: string): unknown {
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compiled.get(path) ?? compileFunction(readFileSync(path, 'utf8'), names, { filename: path });
  compiled.set(path, run);
  const module = { exports: {} };
  run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}

type Extension = (module: { _compile(code: string, filename: string): void }, filename: string) => void;

/** Makes Node load TypeScript as jest transforms it: once for all processes, on the disk. */
async function loadTypeScript(config: Config.ProjectConfig): Promise<void> {
  const transformer = await createScriptTransformer(config);
  const options = {
    isInternalModule: false,
    supportsDynamicImport: true,
    supportsExportNamespaceFrom: false,
    supportsStaticESM: false,
    supportsTopLevelAwait: false,
    instrument: false,
    collectCoverage: false,
    collectCoverageFrom: [],
    coverageProvider: 'v8' as const,
  };
  const { _extensions: extensions } = Module as unknown as { _extensions: Record<string, Extension> };
  extensions['.ts'] = (module, filename) => {
    const { code, sourceMapPath } = transformer.transform(filename, options);
    if (sourceMapPath) {
      sourceMaps.set(filename, sourceMapPath);
      onLoaded(filename, sourceMapPath);
    }
    module._compile(code, filename);
  };
}

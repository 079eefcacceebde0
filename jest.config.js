import { availableParallelism } from 'node:os';

/** Sources run without a build. */
const shared = {
  testEnvironment: '<rootDir>/testing/jest/shared-environment.ts',
  testRunner: '<rootDir>/testing/jest/run-with-shared-modules.ts',
  // Tests share what they spy on.
  restoreMocks: true,
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
};

const workspaces =
  '<rootDir>/{proto,facts,runtime,embedded,dashboard,gateway,mcp,cli,app,clients/*,testing,services/*}';

/** Tests next to their source need no database and no server; those in `test/` start what they test. */
export default {
  // One more than cores: tests also wait.
  maxWorkers: availableParallelism() + 1,
  // A worker that has grown spends its time on garbage collection: it is replaced.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/testing/jest/systems-first.mjs',
  // A way out for what hangs: several times what the slowest test takes on a busy machine.
  testTimeout: 180_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [`${workspaces}/src/**/*.test.ts`, '<rootDir>/{load-tests,experiments}/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/testing/jest/properties.ts'],
    },
    {
      ...shared,
      displayName: 'service',
      testMatch: [`${workspaces}/{test/**/,}*.test.ts`],
      setupFilesAfterEnv: [
        '<rootDir>/testing/jest/properties.ts',
        '<rootDir>/testing/jest/collect-queries.ts',
      ],
      globalSetup: '<rootDir>/testing/jest/start-collecting.ts',
      globalTeardown: '<rootDir>/testing/jest/refuse-scans.ts',
    },
  ],
};

/** Sources run without a build. */
const shared = {
  testEnvironment: 'node',
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
    // Published as ES modules only, which tests, being CommonJS, cannot load.
    '/node_modules/google-play-scraper/.+\\.js$': [
      '@swc/jest',
      { jsc: { target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!google-play-scraper/)'],
  // Workspaces resolve to their sources: see "exports" in each package.json.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  // Packages that have sources of their own under this condition.
  moduleNameMapper: {
    '^(eventsource|eventsource-parser)$': '<rootDir>/node_modules/$1/dist/index.cjs',
    '^eventsource-parser/stream$': '<rootDir>/node_modules/eventsource-parser/dist/stream.cjs',
  },
};

const workspaces = '<rootDir>/{proto,facts,runtime,embedded,gateway,mcp,app,testing,services/*}';

/** Tests next to their source need no database and no server; those in `test/` start what they test. */
export default {
  maxWorkers: '100%',
  // A worker that has grown spends its time on garbage collection: it is replaced.
  workerIdleMemoryLimit: '700MB',
  testTimeout: 20_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [`${workspaces}/src/**/*.test.ts`, '<rootDir>/{load-tests,experiments}/**/*.test.ts'],
      // More random cases than usual: .ci/full.
      setupFilesAfterEnv: process.env.PROPERTY_RUNS ? ['<rootDir>/testing/property-runs.ts'] : [],
    },
    {
      ...shared,
      displayName: 'service',
      testMatch: [`${workspaces}/{test/**/,}*.test.ts`],
      setupFilesAfterEnv: ['<rootDir>/testing/query-plans/refuse-scans.ts'],
    },
  ],
};

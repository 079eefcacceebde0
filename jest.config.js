/** One configuration for every workspace. Sources run as they stand: no build is needed before a test. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{proto,facts,runtime,embedded,gateway,app,testing,services/*}/**/*.test.ts'],
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
    // Written as ES modules only, which tests, being CommonJS, cannot load as they stand.
    '/node_modules/google-play-scraper/.+\\.js$': [
      '@swc/jest',
      { jsc: { target: 'es2023' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!google-play-scraper/)'],
  // Workspaces resolve to their sources: see "exports" in each package.json.
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  testTimeout: 20_000,
};

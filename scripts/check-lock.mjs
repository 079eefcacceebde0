#!/usr/bin/env node
// Verifies that package-lock.json works on every platform: each optional (native) package of a dependency needs its
// own entry, or `npm ci` fails on the platform that needs it. Also verifies that it has the dependencies of each
// workspace as its package.json lists them, which `npm ci` does not.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const readJson = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const { packages } = readJson('package-lock.json');

/** Whether a dependency of the package at `from` resolves inside the lock file, by Node's lookup rules. */
function isLocked(from, name) {
  for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${dir ? `${dir}/` : ''}node_modules/${name}`]) return true;
    if (!dir) return false;
  }
}

const missing = Object.entries(packages).flatMap(([path, entry]) =>
  Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(path, name))
    .map((name) => `${path || 'the root'} needs ${name}`),
);
const untrusted = Object.entries(packages)
  .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.integrity)
  .map(([path]) => `${path} has no integrity hash`);

const outdated = readJson('package.json').workspaces.flatMap((path) => {
  const manifest = readJson(`${path}/package.json`);
  return ['dependencies', 'devDependencies']
    .filter((kind) => !isDeepStrictEqual(manifest[kind], packages[path]?.[kind]))
    .map((kind) => `the ${kind} of ${path} differ from its package.json: run npm install`);
});

const problems = [...missing, ...untrusted, ...outdated];
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`package-lock.json is complete for every platform (${Object.keys(packages).length} packages)`);

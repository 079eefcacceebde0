// Compiles the TypeScript of the workspaces that run without development tools (src/ -> dist/). It removes the types and
// checks none (npm run typecheck does): a second where the type checker takes twenty. Files whose compiled file is newer are
// left alone; compiled files without a source are removed.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

/** Runs from its sources. The client is compiled when it is packed. */
const uncompiled = ['experiments', 'load-tests', 'clients/typescript'];

/** The same as tsconfig.json says. */
const options = {
  swcrc: false,
  sourceMaps: true,
  inlineSourcesContent: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript' },
    transform: { verbatimModuleSyntax: true },
    rewriteRelativeImportExtensions: true,
  },
};

/**
 * Compiles what has changed.
 * @param root the folder of the repository
 * @returns the number of files that were compiled
 * @throws with the place in the file, if one is no TypeScript that can be read
 */
export async function compile(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const compiled = workspaces.filter((name) => !uncompiled.includes(name)).map((name) => join(root, name));
  const counts = await Promise.all(compiled.map(compileWorkspace));
  // Tests run the compiled programs only if no source is newer.
  writeFileSync(join(root, 'app/dist/.built'), '');
  return counts.reduce((sum, count) => sum + count, 0);
}

async function compileWorkspace(folder) {
  const sources = findSources(folder);
  const targets = new Map(sources.map((file) => [toTarget(folder, file), file]));
  removeOthers(join(folder, 'dist'), targets);
  const due = [...targets].filter(([target, source]) => isDue(target, source));
  await Promise.all(due.map(([target, source]) => compileFile(target, source)));
  return due.length;
}

/** The contracts lie in the folder itself; elsewhere `src` has everything. */
function findSources(folder) {
  const hasSource = existsSync(join(folder, 'src'));
  const parts = hasSource ? ['src'] : ['.', 'gen'];
  return parts.flatMap((part) =>
    readdirSync(join(folder, part), { recursive: part !== '.' })
      .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file))
      .map((file) => join(folder, part, file)),
  );
}

function toTarget(folder, source) {
  const path = relative(folder, source).replace(/^src\//, '');
  return join(folder, 'dist', path.replace(/\.ts$/, '.js'));
}

function isDue(target, source) {
  const compiledAt = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return (
    compiledAt < statSync(source).mtimeMs || compiledAt < statSync(fileURLToPath(import.meta.url)).mtimeMs
  );
}

async function compileFile(target, source) {
  const { code, map } = await transformFile(source, {
    ...options,
    sourceFileName: relative(dirname(target), source),
  });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, `${code}//# sourceMappingURL=${target.slice(target.lastIndexOf('/') + 1)}.map\n`);
}

function removeOthers(dist, targets) {
  if (!existsSync(dist)) return;
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    // The bundled pages of the dashboard have no source of their own.
    if (path.startsWith(join(dist, 'assets'))) continue;
    if (file.isFile() && file.name !== '.built' && !targets.has(path.replace(/\.map$/, ''))) rmSync(path);
  }
}

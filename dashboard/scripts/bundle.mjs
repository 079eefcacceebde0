// Packs the pages into scripts (`scriptNames` in src/pages.ts) and one style sheet, whose names hold a hash of their content:
// src/main.tsx and others -> dist/assets. In the pseudo-language: dist/assets-pseudo.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the pages, if a source is newer. Returns whether it did. `isPseudo`: in the pseudo-language, for tests. */
export async function bundlePages({ isPseudo = false } = {}) {
  const assets = join(folder, isPseudo ? 'dist/assets-pseudo' : 'dist/assets');
  if (!isDue(assets)) return false;
  rmSync(assets, { recursive: true, force: true });
  await build({
    entryPoints: Object.fromEntries(
      ['main', 'work', 'app', 'keyword', 'more', 'rivals'].map((name) => [
        name,
        join(folder, `src/${name}.tsx`),
      ]),
    ),
    outdir: assets,
    entryNames: '[name]-[hash]',
    bundle: true,
    // Other workspaces' sources: they are compiled at the same time.
    conditions: ['shelfwise-source', ...(isPseudo ? ['shelfwise-pseudo'] : [])],
    minify: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return true;
}

function isDue(assets) {
  if (!existsSync(assets) || readdirSync(assets).length === 0) return true;
  const made = Math.min(...readdirSync(assets).map((name) => statSync(join(assets, name)).mtimeMs));
  // And those of the workspaces that pages import from.
  const sources = ['src', '../facts/src', '../runtime/src'].flatMap((from) =>
    readdirSync(join(folder, from), { recursive: true })
      .filter((name) => /\.(tsx?|css)$/.test(name))
      .map((name) => statSync(join(folder, from, name)).mtimeMs),
  );
  return Math.max(...sources, statSync(fileURLToPath(import.meta.url)).mtimeMs) > made;
}

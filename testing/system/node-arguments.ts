import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The workspaces whose code the programs run. `isBuildFresh` adds the services. */
const workspaces = ['proto', 'facts', 'runtime', 'embedded', 'gateway', 'mcp', 'cli', 'app'];
const typeScript = ['--import', 'tsx'];
const sourceFlags = [...typeScript, '--conditions=shelfwise-source'];

/** Sources do not change while tests run. */
let isFresh: boolean | undefined;

/**
 * The arguments that make Node.js run a program. Chooses the compiled program if the build is newer than every source,
 * because it starts in half the time; otherwise the source. The current folder must be the root of the repository.
 * @param entry the source, such as `app/src/main.ts`
 */
export function nodeArguments(entry: string): string[] {
  const compiled = entry.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
  return compiled.includes('/dist/') && isBuilt() ? [compiled] : [...sourceFlags, entry];
}

/** The flags for a program of tests, which is never compiled but imports the product's modules by their packages alone. */
export function flagsOfTestProgram(): string[] {
  return isBuilt() ? typeScript : sourceFlags;
}

function isBuilt(): boolean {
  isFresh ??= isBuildFresh();
  return isFresh;
}

function isBuildFresh(): boolean {
  const services = readdirSync('services').map((name) => join('services', name));
  const builtAt = statSync('app/dist/.built', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [...workspaces, ...services].every(
    (folder) => builtAt > newestSource(join(folder, folder === 'proto' ? 'shelfwise' : 'src')),
  );
}

function newestSource(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(ts|proto)$/.test(file) && !file.endsWith('.test.ts'));
  return Math.max(...sources.map((file) => statSync(join(folder, file)).mtimeMs));
}

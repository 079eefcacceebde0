import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files of the pages, by their name, which holds a hash of the content. */
export type Assets = {
  names: { script: string; style: string };
  files: ReadonlyMap<string, { body: Buffer; type: string }>;
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Reads what `npm run build` has made of the pages.
 * @throws when it is missing
 */
export function readAssets(folder = findFolder()): Assets {
  const files = new Map(
    readdirSync(folder).map((name) => [
      name,
      { body: readFileSync(join(folder, name)), type: types[extname(name)] ?? 'application/octet-stream' },
    ]),
  );
  const find = (ending: string) => {
    const found = [...files.keys()].find((name) => name.startsWith('main-') && name.endsWith(ending));
    if (found === undefined) throw missing();
    return found;
  };
  return { names: { script: find('.js'), style: find('.css') }, files };
}

/** Next to the compiled code, or, for what runs from its sources, in `dist`. */
function findFolder(): string {
  const folders = ['../assets', '../../dist/assets'].map((path) => join(import.meta.dirname, path));
  const found = folders.find((folder) => existsSync(folder));
  if (found === undefined) throw missing();
  return found;
}

function missing(): Error {
  return new Error('the pages of the dashboard are not built: run npm run build');
}

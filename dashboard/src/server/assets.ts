import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { language } from '#language';

/** A file of the pages. */
export type Asset = { body: Buffer; type: string };

/** The files of the pages, by their name, which holds a hash of the content. */
export type Assets = {
  /** The six scripts (a page has one: `frame.ts`), and the style sheet of all. */
  names: {
    script: string;
    work: string;
    app: string;
    keyword: string;
    more: string;
    rivals: string;
    style: string;
  };
  files: ReadonlyMap<string, Asset>;
};

/** A file as the bundle names it. */
export const assetName = /^(main|work|app|keyword|more|rivals)-[A-Z0-9]{8}\.(js|css)$/;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export function assetOf(name: string, body: Buffer): Asset {
  return { body, type: types[extname(name)] ?? 'application/octet-stream' };
}

/** Reads what `npm run build` has made of the pages; null when it has not run. */
export function readAssets(): Assets | null {
  const folder = findFolder();
  if (folder === undefined) return null;
  const files = new Map(
    readdirSync(folder)
      .filter((name) => assetName.test(name))
      .map((name) => [name, assetOf(name, readFileSync(join(folder, name)))]),
  );
  const find = (name: RegExp) => [...files.keys()].find((one) => name.test(one));
  const [script, work, app, keyword, more, rivals] = ['main', 'work', 'app', 'keyword', 'more', 'rivals'].map(
    (name) => find(new RegExp(`^${name}.*js$`)),
  );
  const style = find(/^main.*css$/);
  if (!script || !work || !app || !keyword || !more || !rivals || !style) return null;
  return { names: { script, work, app, keyword, more, rivals, style }, files };
}

/** Next to the compiled code, or, for what runs from its sources, in `dist`. */
function findFolder(): string | undefined {
  return ['..', '../../dist']
    .map((path) => join(import.meta.dirname, path, language.assets))
    .find((folder) => existsSync(folder));
}

import { readFileSync } from 'node:fs';

/** An app of the App Store. */
export type StoreApp = {
  id: number;
  title: string;
  genre: string;
  /** number of ratings */
  ratings: number;
  /** average rating, 0 to 5 */
  score: number;
  description: string;
};

/**
 * @param file one app per line, as JSON; other fields are ignored
 * @throws Error that names the first line that is no app
 */
export function readApps(file: string): StoreApp[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line, index) => {
    const app = parseLine(line);
    if (!isStoreApp(app)) throw new Error(`${file}, line ${index + 1} is no app`);
    return app;
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isStoreApp(value: unknown): value is StoreApp {
  if (typeof value !== 'object' || value === null) return false;
  const app = value as Partial<StoreApp>;
  return (
    [app.id, app.ratings, app.score].every(Number.isFinite) &&
    [app.title, app.genre, app.description].every((text) => typeof text === 'string')
  );
}

import type { StoreApp } from './store-app.ts';
import { splitTitle, wordsIn } from './words.ts';

/** The name of an app's developer. The recorded apps have none, so it is invented; `Studio` makes no term a brand. */
export type DeveloperOf = (app: StoreApp) => string;

/** A name that begins this many titles is one developer's (Yahoo, Google). */
const minApps = 3;
/** Words that begin many titles and name no developer. */
const common = new Set(
  `free my photo video music car super the real best color word true block calorie weather guitar period piano pic puzzle learn
  world live run mini daily pocket easy smart i a`.split(/\s+/),
);

/** Apps whose brand begins with the same word have one developer, if there are at least three; every other app has its own. */
export function createDeveloperOf(apps: readonly StoreApp[]): DeveloperOf {
  const counts = new Map<string, number>();
  for (const app of apps) counts.set(firstWordOf(app), (counts.get(firstWordOf(app)) ?? 0) + 1);
  return (app) => {
    const word = firstWordOf(app);
    const isShared = !common.has(word) && (counts.get(word) ?? 0) >= minApps;
    return isShared ? `${word} Studio` : ownDeveloperOf(app);
  };
}

/** Every app has a developer of its own. */
export const ownDeveloperOf: DeveloperOf = ({ id }) => `Studio ${id}`;

function firstWordOf({ title }: StoreApp): string {
  return wordsIn(splitTitle(title).brand)[0] ?? '';
}

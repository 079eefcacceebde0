import { type Collection, overallCategory } from '@shelfwise/facts/stores/categories';
import { isSoldIn, type SampleApp } from './apps.ts';
import { allGames } from './genre.ts';
import { ratingsOn } from './popularity.ts';
import { drift, mix, unit } from './random.ts';
import { isGame } from './topic.ts';

/** The apps of a top chart on a day, the first rank first. */
export function chartOf(
  apps: readonly SampleApp[],
  {
    country,
    day,
    category,
    collection,
  }: { country: string; day: number; category: string; collection: Collection },
): SampleApp[] {
  return apps
    .filter((app) => day > app.releasedDay && isInCategory(app, category) && isSoldIn(app, country))
    .map((app) => ({ app, value: demand(app, country, day) * share(app, collection) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.app.appId < b.app.appId ? -1 : 1))
    .map(({ app }) => app);
}

function isInCategory({ store, brand: { topic } }: SampleApp, category: string): boolean {
  if (category === overallCategory) return true;
  if (category === allGames[store]) return isGame(topic);
  if (category === 'FAMILY') return topic.theme === 'kids';
  return category === (store === 'ITUNES' ? topic.genre : topic.category);
}

/** The measure of a collection: installs of free apps, sales of paid apps, or revenue. */
function share(app: SampleApp, collection: Collection): number {
  if (collection === 'grossing') return app.earning;
  return app.price > 0 === (collection === 'paid') ? 1 : 0;
}

/**
 * The installs of a day, relative to other apps. The ratings of the next year represent lasting demand, and a launch
 * doubles or triples it for some weeks. Trends last about two weeks, and every day differs slightly.
 */
function demand(app: SampleApp, country: string, day: number): number {
  const lasting = ratingsOn(app, country, day + 365) + 1;
  const age = day - app.releasedDay;
  const launch = 1 + 8 * Math.exp(-age / 25);
  const neglect = app.abandonedDay !== null && day > app.abandonedDay ? 0.5 : 1;
  const seed = mix(app.seed, country.charCodeAt(0), country.charCodeAt(1));
  const trend = 0.5 * drift(mix(seed, 1), day, 14) + 0.12 * (2 * unit(mix(seed, 2, day)) - 1);
  return lasting * launch * neglect * Math.exp(trend);
}

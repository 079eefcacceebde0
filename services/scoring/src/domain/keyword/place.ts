import { evidenceFor } from '@shelfwise/facts/text/evidence';
import type { PageApp, ResultPage } from './keyword-reading.ts';

/** One of the first ten results: the app and how well its title names the keyword, 0 to 1; null: the title is unknown. */
export type Place = PageApp & { evidence: number | null };

export function placesOf(keyword: string, page: ResultPage, lang: string): Place[] {
  const evidence = evidenceFor(keyword, lang);
  return page.apps
    .slice(0, 10)
    .map((app) => ({ ...app, evidence: app.title === null ? null : evidence(app.title) }));
}

/** Whether the app details that the formulas need were read; without apps there is nothing to read. */
export function isDetailed(page: ResultPage): boolean {
  return page.details_read_at !== null || page.apps.length === 0;
}

/** Whether there are places and only their titles are known: no ratings, installs or dates. */
export function isBlank(places: readonly PageApp[]): boolean {
  const isUnknown = (place: PageApp) =>
    place.ratings === null && place.installs === null && place.updated_at === null;
  return places.length > 0 && places.every(isUnknown);
}

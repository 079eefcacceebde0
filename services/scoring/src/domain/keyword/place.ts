import { evidence } from '@shelfwise/facts/text/evidence';
import type { PageApp, ResultPage } from './keyword-reading.ts';

/** One of the first ten results: the app and how well its title names the keyword, 0 to 1. */
export type Place = PageApp & { evidence: number };

export function placesOf(keyword: string, page: ResultPage, lang: string): Place[] {
  return page.apps.slice(0, 10).map((app) => ({ ...app, evidence: evidence(keyword, app.title, lang) }));
}

/** Whether what the formulas need of the apps was read; of no apps there is nothing to read. */
export function isDetailed(page: ResultPage): boolean {
  return page.details_read_at !== null || page.apps.length === 0;
}

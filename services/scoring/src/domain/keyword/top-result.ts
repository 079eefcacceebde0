import { evidenceFor } from '@shelfwise/facts/text/evidence';
import type { PageApp, ResultPage } from './keyword-reading.ts';

/** One of the first ten results: the app and how well its title names the keyword, 0 to 1; null: the title is unknown. */
export type TopResult = PageApp & { evidence: number | null };

export function topResultsOf(keyword: string, page: ResultPage, lang: string): TopResult[] {
  const evidence = evidenceFor(keyword, lang);
  return page.apps
    .slice(0, 10)
    .map((app) => ({ ...app, evidence: app.title === null ? null : evidence(app.title) }));
}

/** Whether the app details that the formulas need were read; without apps there is nothing to read. */
export function isDetailed(page: ResultPage): boolean {
  return page.details_read_at !== null || page.apps.length === 0;
}

/** Whether there are results and only their titles are known: no ratings, installs or dates. */
export function isBlank(results: readonly PageApp[]): boolean {
  const isUnknown = (result: PageApp) =>
    result.ratings === null && result.installs === null && result.updated_at === null;
  return results.length > 0 && results.every(isUnknown);
}

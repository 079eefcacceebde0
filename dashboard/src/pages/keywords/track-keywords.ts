import { callApi } from '../../parts/api.ts';
import type { KeywordsModel } from './model.ts';

/** What became of one keyword, in a sentence. */
export type Outcome = { keyword: string; success?: string; error?: string };

/**
 * Tracks keywords of one call, at most 20, and returns an outcome for each.
 * @throws ApiError
 */
export async function trackKeywords(
  { id, store, country, lang }: KeywordsModel['app'],
  keywords: readonly string[],
): Promise<Outcome[]> {
  const body = { keywords, app_id: Number(id), store, country, lang };
  const { data } = await callApi<{ data: { results: Outcome[] } }>('/keywords', { method: 'POST', body });
  return data.results;
}

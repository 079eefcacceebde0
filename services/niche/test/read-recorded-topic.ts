import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TopicContext } from '../src/domain/is-on-topic.ts';
import type { NicheTerm } from '../src/domain/niche-term.ts';
import { keiAsSpecified } from './build-niche-term.ts';

type RecordedTopic = {
  topic: string;
  /** the store's suggestions */
  suggested: string[];
  /** ids and titles of the topic's result page */
  page: [string, string][];
  /** by id: title, genre key, ratings, day of the last update */
  apps: Record<string, [string, string, number, string]>;
  /** `top`: ids of the first ten */
  terms: (Pick<NicheTerm, 'keyword' | 'traffic' | 'difficulty'> & {
    is_searched: boolean;
    is_brand: boolean;
    top: string[];
  })[];
};

/**
 * The terms of a topic and its result page, as they were scored when the pages in `recorded/` were read. All apps are
 * fictional: `meditation` is from the sample; the others have the shape of pages that a store fills with apps for one
 * word of the topic.
 */
export function readRecordedTopic(name: string): { terms: NicheTerm[]; topicContext: TopicContext } {
  const path = join(__dirname, 'recorded', `${name}.json`);
  const { topic, suggested, page, apps, terms } = JSON.parse(readFileSync(path, 'utf8')) as RecordedTopic;
  return {
    topicContext: {
      topic,
      suggested: new Set(suggested),
      results: page.map(([appId, title]) => ({ app_id: appId, title })),
    },
    terms: terms.map((term) => ({
      keyword: term.keyword,
      traffic: term.traffic,
      difficulty: term.difficulty,
      kei: keiAsSpecified(term.traffic, term.difficulty),
      isSearched: term.is_searched,
      isNavigational: term.is_brand,
      top: term.top.map((appId) => toApp(appId, apps[appId])),
    })),
  };
}

function toApp(appId: string, app: RecordedTopic['apps'][string] | undefined): NicheTerm['top'][number] {
  if (!app) throw new Error(`no app ${appId} was recorded`);
  const [title, genreKey, ratings, updatedAt] = app;
  return { app_id: appId, title, genre_key: genreKey, ratings, updated_at: new Date(updatedAt) };
}

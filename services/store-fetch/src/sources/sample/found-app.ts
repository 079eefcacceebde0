import type { FoundApp } from '../../source.ts';
import type { Document } from './documents.ts';
import { genreOf } from './genre.ts';
import { iconOf } from './images.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import { releaseShownOn } from './releases.ts';

/** Creates a row of a result page. Google Play's rows have no genre, number of ratings or date. */
export function foundApp(
  { app, texts }: Document,
  { country, day }: { country: string; day: number },
): FoundApp {
  const ratings = Math.floor(ratingsOn(app, country, day));
  const isAppStore = app.store === 'ITUNES';
  const genre = isAppStore ? genreOf(app) : null;
  return {
    app_id: app.appId,
    title: texts.title,
    icon: iconOf(app),
    developer_name: app.brand.developer.name,
    genre: genre?.genre ?? null,
    genre_key: genre?.genre_key ?? null,
    score: scoreOn(app, ratings, day),
    ratings: isAppStore ? ratings : null,
    updated_at: isAppStore ? (releaseShownOn(app, day)?.releasedAt ?? null) : null,
  };
}

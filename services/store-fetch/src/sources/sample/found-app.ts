import { categoryLabel } from '@shelfwise/facts/categories';
import type { FoundApp } from '../source.ts';
import type { SampleApp } from './apps.ts';
import { iconOf } from './images.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import type { Document } from './search-index.ts';
import { isGame } from './topic.ts';

/** A row of a result page. Google Play's rows say neither genre nor number of ratings. */
export function foundApp(
  { app, texts }: Document,
  { country, day }: { country: string; day: number },
): FoundApp {
  const ratings = Math.floor(ratingsOn(app, country, day));
  const isAppStore = app.store === 'ITUNES';
  return {
    appId: app.appId,
    title: texts.title,
    icon: iconOf(app),
    developerName: app.brand.developer.name,
    genre: isAppStore ? genreOf(app) : null,
    score: scoreOn(app, ratings, day),
    ratings: isAppStore ? ratings : null,
  };
}

/** The genre's name on an app's page; the App Store calls every game "Games". */
export function genreOf({ store, brand: { topic } }: SampleApp): string {
  if (store === 'ITUNES' && isGame(topic)) return 'Games';
  const label = categoryLabel(store, store === 'ITUNES' ? topic.genre : topic.category) ?? '';
  return label.replace(/^Games: /, '');
}

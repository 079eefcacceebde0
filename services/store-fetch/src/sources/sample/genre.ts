import { categoryLabel } from '@shelfwise/facts/stores/categories';
import type { SampleApp } from './apps.ts';
import { isGame } from './topic.ts';

/** The store's own category for all games. */
export const allGames = { ITUNES: '6014', GPLAY: 'GAME' } as const;

/** The genre on an app's page and the store's key of the genre; the App Store calls every game "Games". */
export function genreOf({ store, brand: { topic } }: SampleApp): { genre: string; genre_key: string } {
  const genreKey = store === 'GPLAY' ? topic.category : isGame(topic) ? allGames.ITUNES : topic.genre;
  const label = categoryLabel(store, genreKey) ?? '';
  return { genre: label.replace(/^Games: /, ''), genre_key: genreKey };
}

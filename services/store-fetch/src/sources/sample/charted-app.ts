import type { Storefront } from '../source.ts';
import type { SampleApp } from './apps.ts';
import { iconOf } from './images.ts';
import { writtenLanguage } from './languages/pack-for.ts';
import { textsOf } from './listing-texts.ts';
import { localPrice } from './market.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import { releaseShownOn } from './releases.ts';

/** A row of a top chart. */
export type ChartedApp = {
  rank: number;
  appId: string;
  title: string;
  developerName: string;
  icon: string;
  score: number | null;
  /** In the country's currency; 0 is free. */
  price: number;
  currency: string;
};

export function chartedApp(
  app: SampleApp,
  { rank, storefront, day }: { rank: number; storefront: Storefront; day: number },
): ChartedApp {
  const { country, lang } = storefront;
  const release = releaseShownOn(app, day);
  const ratings = Math.floor(ratingsOn(app, country, day));
  return {
    rank,
    appId: app.appId,
    title: release ? textsOf(app, writtenLanguage(lang), release).title : app.brand.name,
    developerName: app.brand.developer.name,
    icon: iconOf(app),
    score: scoreOn(app, ratings, day),
    ...localPrice(app.price, country),
  };
}

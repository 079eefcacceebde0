import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ChartedApp } from '../../source.ts';
import type { SampleApp } from './apps.ts';
import { localPrice } from './countries.ts';
import { iconOf } from './images.ts';
import { textsOf } from './listing-texts.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import { releaseShownOn } from './releases.ts';
import { writtenLanguage } from './written-language.ts';

/** A row of a top chart. */
export function chartedApp(
  app: SampleApp,
  { storefront: { country, lang }, day }: { storefront: Storefront; day: number },
): ChartedApp {
  const release = releaseShownOn(app, day);
  const ratings = Math.floor(ratingsOn(app, country, day));
  return {
    app_id: app.appId,
    title: release ? textsOf(app, writtenLanguage(lang), release).title : app.brand.name,
    icon: iconOf(app),
    developer_name: app.brand.developer.name,
    score: scoreOn(app, ratings, day),
    ...localPrice(app.price, country),
  };
}

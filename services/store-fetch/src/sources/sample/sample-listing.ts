import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { Listing } from '../../source.ts';
import type { SampleApp } from './apps.ts';
import { localPrice } from './countries.ts';
import { momentOf } from './day.ts';
import { genreOf } from './genre.ts';
import { iconOf, pageOf, screenshotsOf } from './images.ts';
import { descriptionOf, screenshotCountOf, textsOf } from './listing-texts.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import { mix, unit } from './random.ts';
import type { Release } from './releases.ts';
import { writtenLanguage } from './written-language.ts';

/** Creates an app's page, without the fields that the real store's page does not have. */
export function sampleListing(
  app: SampleApp,
  release: Release,
  { storefront: { country, lang }, day }: { storefront: Storefront; day: number },
): Listing {
  const texts = textsOf(app, writtenLanguage(lang), release);
  const ratings = Math.floor(ratingsOn(app, country, day));
  return {
    app_id: app.appId,
    bundle_id: app.bundleId,
    title: texts.title,
    subtitle: texts.subtitle,
    description: descriptionOf(app, texts.language, release),
    url: pageOf(app, { country, lang }),
    icon: iconOf(app),
    screenshots: screenshotsOf(app, screenshotCountOf(app, release), Math.floor(release.rewrite / 2)),
    developer_name: app.brand.developer.name,
    ...genreOf(app),
    version: release.version,
    score: scoreOn(app, ratings, day),
    ratings,
    ...localPrice(app.price, country),
    ...storeSpecifics(app, day),
    released_at: momentOf(app.releasedDay, unit(mix(app.seed, 60, 0))),
    updated_at: release.releasedAt,
    unreadable: [],
  };
}

/** The App Store shows the languages of an app, Google Play its installs and video. */
function storeSpecifics(app: SampleApp, day: number): Pick<Listing, 'installs' | 'languages' | 'has_video'> {
  if (app.store === 'ITUNES') return { installs: null, languages: [...app.languages], has_video: null };
  return { installs: installsOf(app, day), languages: [], has_video: unit(mix(app.seed, 92)) < 0.3 };
}

/** About 60 installs per rating in all countries, shown as 1, 5, 10, 50, 100 and so on. */
function installsOf(app: SampleApp, day: number): number {
  const installs = Math.max(1, ratingsOn(app, 'US', day) * 60 * 2.5);
  const step = 10 ** Math.floor(Math.log10(installs));
  return installs >= 5 * step ? 5 * step : step;
}

import type { Listing, Storefront } from '../source.ts';
import type { SampleApp } from './apps.ts';
import { momentOf } from './day.ts';
import { genreOf } from './found-app.ts';
import { iconOf, pageOf, screenshotsOf } from './images.ts';
import { writtenLanguage } from './languages/pack-for.ts';
import { descriptionOf, screenshotCountOf, textsOf } from './listing-texts.ts';
import { localPrice } from './market.ts';
import { ratingsOn, scoreOn } from './popularity.ts';
import { mix, unit } from './random.ts';
import { type Release, releasesUpTo } from './releases.ts';

/** A listing with what the stores' pages say beyond the port. */
export type SampleListing = Listing & {
  /** Subtitle (App Store) or short description (Google Play); null when it is empty. */
  subtitle: string | null;
  /** In the country's currency; 0 is free. */
  price: number;
  currency: string;
  /** Google Play only: installs in all countries, rounded down to a step as the store shows them. */
  installs: number | null;
  /** BCP 47 languages that the listing is written in. */
  languages: string[];
  hasVideo: boolean;
  /** The latest versions, newest first. */
  versions: { version: string; releasedAt: Date }[];
};

const mostVersions = 25;

export function sampleListing(
  app: SampleApp,
  release: Release,
  { storefront: { country, lang }, day }: { storefront: Storefront; day: number },
): SampleListing {
  const texts = textsOf(app, writtenLanguage(lang), release);
  const ratings = Math.floor(ratingsOn(app, country, day));
  return {
    appId: app.appId,
    bundleId: app.bundleId,
    title: texts.title,
    subtitle: texts.subtitle,
    description: descriptionOf(app, texts.language, release),
    url: pageOf(app, { country, lang }),
    icon: iconOf(app),
    screenshots: screenshotsOf(app, screenshotCountOf(app, release), Math.floor(release.rewrite / 2)),
    developerName: app.brand.developer.name,
    genre: genreOf(app),
    version: release.version,
    score: scoreOn(app, ratings, day),
    ratings,
    releasedAt: momentOf(app.releasedDay, unit(mix(app.seed, 60, 0))),
    updatedAt: release.releasedAt,
    ...localPrice(app.price, country),
    installs: app.store === 'GPLAY' ? installsOf(app, day) : null,
    languages: [...app.languages],
    hasVideo: unit(mix(app.seed, 92)) < 0.3,
    versions: releasesUpTo(app, day, mostVersions).map(({ version, releasedAt }) => ({
      version,
      releasedAt,
    })),
  };
}

/** About 60 installs for a rating, shown as 1, 5, 10, 50, 100 and so on. */
function installsOf(app: SampleApp, day: number): number {
  const installs = Math.max(1, ratingsOn(app, 'US', day) * 60 * 2.5);
  const step = 10 ** Math.floor(Math.log10(installs));
  return installs >= 5 * step ? 5 * step : step;
}

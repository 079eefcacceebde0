import type { SampleApp } from './apps.ts';
import { momentOf } from './day.ts';
import { mix, unit } from './random.ts';

/** One version of an app. */
export type Release = {
  /** 0 is the first version. */
  number: number;
  version: string;
  releasedAt: Date;
  /** How many times the listing's texts have been rewritten up to this version. */
  rewrite: number;
};

/** The version that the store shows on a UTC day, from the day after its release; null before the first. */
export function releaseShownOn(app: SampleApp, day: number): Release | null {
  if (day <= app.releasedDay) return null;
  const lastDay = Math.min(day - 1, app.abandonedDay ?? day - 1);
  let number = Math.floor((lastDay - app.releasedDay) / app.cadenceDays);
  while (number > 0 && releaseDay(app, number) > lastDay) number--;
  return releaseOf(app, Math.max(0, number));
}

function releaseOf(app: SampleApp, number: number): Release {
  return {
    number,
    version: versionOf(app, number),
    releasedAt: momentOf(releaseDay(app, number), unit(mix(app.seed, 60, number))),
    rewrite: Math.floor(number / app.versionsPerRewrite),
  };
}

/** The time between two releases varies by half the cadence; their order never changes. */
function releaseDay(app: SampleApp, number: number): number {
  if (number === 0) return app.releasedDay;
  const delay = Math.floor(unit(mix(app.seed, 61, number)) * app.cadenceDays * 0.5);
  return app.releasedDay + number * app.cadenceDays + delay;
}

function versionOf(app: SampleApp, number: number): string {
  const perMinor = 2 + Math.floor(unit(mix(app.seed, 62)) * 3);
  const minorsPerMajor = 4 + Math.floor(unit(mix(app.seed, 63)) * 9);
  const minor = Math.floor(number / perMinor);
  const patch = number % perMinor;
  const main = `${1 + Math.floor(minor / minorsPerMajor)}.${minor % minorsPerMajor}`;
  return patch === 0 ? main : `${main}.${patch}`;
}

import type { StoreSource } from '../src/source.ts';
import { createSampleCatalog, type SampleCatalog } from '../src/sources/sample/catalog.ts';
import { createSampleSource } from '../src/sources/sample/sample-source.ts';

let shared: SampleCatalog | undefined;
let clock = () => new Date(0);

/**
 * A sample catalog with a clock of its own, for tests that need no new one. In this process all of them share their
 * apps, texts and indexes, which never change and take seconds to create.
 */
export function shareSampleCatalog({ now }: { now: () => Date }): SampleCatalog {
  shared ??= createSampleCatalog({ now: () => clock() });
  const { search, listing, suggest, chart, apps } = shared;
  // The catalog answers synchronously, so that no other test sets the clock in between.
  const onClock =
    <Args extends unknown[], Answer>(read: (...args: Args) => Answer) =>
    (...args: Args) => {
      clock = now;
      return read(...args);
    };
  return {
    search: onClock(search),
    listing: onClock(listing),
    suggest: onClock(suggest),
    chart: onClock(chart),
    apps,
  };
}

/** The sample with a clock of its own, on the shared catalog. */
export function shareSampleSource({ now }: { now: () => Date }): StoreSource {
  return createSampleSource({ now, createCatalog: shareSampleCatalog });
}

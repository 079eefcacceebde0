import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import { createSampleSource } from './sources/sample/sample-source.ts';
import type { SelectedSource, SourceDeps, SourceSettings } from './start-live-source.ts';

/** Creates the configured source. The service never falls back from the live stores to the sample. */
export async function createSource(settings: SourceSettings, deps: SourceDeps): Promise<SelectedSource> {
  if (settings.STORE_SOURCE === 'live') {
    // What reads the stores takes a while to load, and the sample needs none of it.
    const { startLiveSource } = await import('./start-live-source.ts');
    return startLiveSource(settings, deps);
  }
  return {
    source: createSampleSource({ now: deps.now, createCatalog: deps.createCatalog }),
    checks: { 'store source': sampleStatus },
    refuseQueued: () => {},
    stop: async () => {},
  };
}

const sampleStatus: StatusCheck = async () => ({
  name: 'store source',
  state: PartState.OK,
  detail: 'sample: a fictional catalog, no real store is read',
  is_embedded: true,
});

import type { Metrics } from '@shelfwise/runtime/metrics';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';
import { createAppStoreSource } from './sources/app-store/app-store-source.ts';
import { createLiveSource } from './sources/live-source.ts';
import { createSampleSource } from './sources/sample/sample-source.ts';
import type { StoreSource } from './sources/source.ts';
import { createStoreHealth } from './store-health.ts';

export type SourceSettings = {
  STORE_SOURCE: 'sample' | 'live';
  STORE_ITUNES_URL: string;
  STORE_TIMEOUT_MS: number;
};

/** The source that the settings name, and its line on the health page. There is no switch from one to the other. */
export function createSource(
  settings: SourceSettings,
  deps: { metrics: Metrics; now: () => Date },
): { source: StoreSource; status: StatusCheck } {
  const { metrics, now } = deps;
  if (settings.STORE_SOURCE === 'sample')
    return { source: createSampleSource({ now }), status: sampleStatus };
  const health = createStoreHealth(metrics, now);
  const appStore = createAppStoreSource({
    baseUrl: settings.STORE_ITUNES_URL,
    timeoutMs: settings.STORE_TIMEOUT_MS,
    now,
    onCall: health.onCall,
  });
  return { source: createLiveSource(appStore), status: health.status };
}

const sampleStatus: StatusCheck = async () => ({
  name: 'store source',
  state: PartState.OK,
  detail: 'sample: a fictional catalogue, no real store is read',
  is_embedded: true,
});

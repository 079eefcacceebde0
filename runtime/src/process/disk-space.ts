import { type Sleep, sleep as wallClockSleep } from '../concurrency/sleep.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { watchDisk } from '../metrics/disk-metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { PartState, type StatusCheck } from './status.ts';

/** Whether the disk of an embedded database has room. What can wait is not written while it is low. */
export type DiskSpace = {
  /** Whether less than the reserve was free at the latest measurement. */
  isLow(): boolean;
  /** Why nothing is stored now, for callers: 503 SERVICE_UNAVAILABLE. */
  refusal(): AppError;
};

export type DiskSpaceWatch = DiskSpace & { status: StatusCheck; stop(): Promise<void> };

const measureEveryMs = 5000;
const mebibyte = 1024 * 1024;

/**
 * Measures the free space of a disk now and every five seconds until `stop`. A measurement that fails keeps the former
 * result.
 * @param options `minFreeBytes` is the reserve; `advice` is a sentence for operators
 */
export async function watchDiskSpace(options: {
  readFreeBytes: () => Promise<number>;
  minFreeBytes: number;
  advice: string;
  logger: Logger;
  metrics: Pick<Metrics, 'registry'>;
  /** the wall clock when absent */
  sleep?: Sleep;
}): Promise<DiskSpaceWatch> {
  const { readFreeBytes, minFreeBytes, advice, logger, sleep = wallClockSleep } = options;
  const stopping = new AbortController();
  let freeBytes = Number.POSITIVE_INFINITY;
  const isLow = () => freeBytes < minFreeBytes;

  async function measure(): Promise<void> {
    const wasLow = isLow();
    try {
      freeBytes = await readFreeBytes();
    } catch (error) {
      logger.warn({ err: error }, 'the free disk space cannot be read');
    }
    if (isLow() && !wasLow) logger.warn(`the disk is almost full: ${describe()}`);
    if (!isLow() && wasLow) logger.info('the disk has enough free space again');
  }

  async function measureUntilStopped(): Promise<void> {
    for (;;) {
      await sleep(measureEveryMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await measure();
    }
  }

  const describe = () =>
    `${toMebibytes(freeBytes)} MB free, less than ${toMebibytes(minFreeBytes)} MB. Nothing is changed for callers, histories are not saved, and background work pauses. ${advice}`;

  await measure();
  watchDisk(options.metrics.registry, () => ({ freeBytes, reserveBytes: minFreeBytes }));
  const measuring = measureUntilStopped();
  return {
    isLow,
    refusal: () =>
      new AppError(
        'SERVICE_UNAVAILABLE',
        'Nothing can be stored at the moment, because the disk of this Shelfwise is almost full. Its operator must free some space; then try again. Reading still works.',
      ),
    status: async () => ({
      name: 'disk space',
      state: isLow() ? PartState.DEGRADED : PartState.OK,
      detail: isLow() ? describe() : 'enough',
      is_embedded: true,
    }),
    async stop() {
      stopping.abort();
      await measuring;
    },
  };
}

/** A store whose `save` fails while the disk is low. */
export function saveWithSpace<
  Arguments extends unknown[],
  Result,
  Store extends { save(...values: Arguments): Promise<Result> },
>(store: Store & { save(...values: Arguments): Promise<Result> }, diskSpace: DiskSpace | undefined): Store {
  return {
    ...store,
    save: async (...values: Arguments) => {
      if (diskSpace?.isLow()) throw diskSpace.refusal();
      return store.save(...values);
    },
  };
}

const toMebibytes = (bytes: number) => Math.floor(bytes / mebibyte).toLocaleString('en-US');

import { createRecordingLogger } from '../../test/recording-logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { saveWithSpace, watchDiskSpace } from './disk-space.ts';

/** A watch whose measurements the test triggers. */
async function watch(readings: (number | Error)[]) {
  const { logger, lines } = createRecordingLogger();
  let wake = () => {};
  const metrics = createMetrics();
  const diskSpace = await watchDiskSpace({
    readFreeBytes: async () => {
      const reading = readings.shift() ?? 0;
      if (reading instanceof Error) throw reading;
      return reading;
    },
    minFreeBytes: 256 * 2 ** 20,
    advice: 'Free some space.',
    logger,
    metrics,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
  });
  const measure = async () => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const messages = () => lines.map((line) => JSON.parse(line).msg);
  return { diskSpace, measure, messages, metrics };
}

test('the disk is low below the reserve and no longer when space is free again', async () => {
  const { diskSpace, measure, messages } = await watch([256 * 2 ** 20, 100 * 2 ** 20, 90 * 2 ** 20, 2 ** 40]);
  expect(diskSpace.isLow()).toBe(false);
  expect(await diskSpace.status()).toMatchObject({ name: 'disk space', state: 'OK' });
  await measure();
  expect(diskSpace.isLow()).toBe(true);
  const { state, detail } = await diskSpace.status();
  expect(state).toBe('DEGRADED');
  expect(detail).toMatch(/^100 MB free, less than 256 MB\. .* Free some space\.$/);
  await measure();
  await measure();
  expect(diskSpace.isLow()).toBe(false);
  await diskSpace.stop();
  expect(messages()).toEqual([
    expect.stringMatching(/^the disk is almost full: 100 MB free/),
    'the disk has enough free space again',
  ]);
});

test('a measurement that fails keeps the former result', async () => {
  const { diskSpace, measure } = await watch([1, new Error('EIO')]);
  await measure();
  expect(diskSpace.isLow()).toBe(true);
  await diskSpace.stop();
});

test('a store saves nothing while the disk is low', async () => {
  const { diskSpace, measure } = await watch([2 ** 40, 1]);
  const saved: number[] = [];
  const store = saveWithSpace({ save: async (value: number) => saved.push(value) }, diskSpace);
  await store.save(1);
  await measure();
  await expect(store.save(2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await diskSpace.stop();
  expect(saved).toEqual([1]);
});

test('metrics show the free space and the reserve', async () => {
  const { diskSpace, measure, metrics } = await watch([300 * 2 ** 20, 100 * 2 ** 20]);
  const read = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('shelfwise_disk'));
  const reserve = `shelfwise_disk_reserve_bytes ${256 * 2 ** 20}`;
  expect(await read()).toEqual([`shelfwise_disk_free_bytes ${300 * 2 ** 20}`, reserve]);
  await measure();
  expect(await read()).toEqual([`shelfwise_disk_free_bytes ${100 * 2 ** 20}`, reserve]);
  await diskSpace.stop();
});

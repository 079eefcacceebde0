import { getEventListeners } from 'node:events';
import { untilAborted } from './until-aborted.ts';
import { withAnySignal } from './with-any-signal.ts';

const forever = (signal: AbortSignal) => untilAborted(new Promise<never>(() => {}), signal);

test('work ends with the signal that fires first, for its reason', async () => {
  const [process, batch] = [new AbortController(), new AbortController()];
  const ended = withAnySignal([process.signal, batch.signal], forever);
  batch.abort(new Error('the batch ended'));
  process.abort(new Error('the process stops'));
  await expect(ended).rejects.toThrow('the batch ended');
});

test('the signal has fired from the start when one of the signals has', async () => {
  const reason = new Error('the process stops');
  const seen = await withAnySignal(
    [new AbortController().signal, AbortSignal.abort(reason)],
    async (signal) => signal.reason,
  );
  expect(seen).toBe(reason);
});

test('work that has settled leaves nothing on a signal that lives on', async () => {
  const combined = jest.spyOn(AbortSignal, 'any');
  const { signal } = new AbortController();
  await withAnySignal([signal], async () => {
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });
  await expect(withAnySignal([signal], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(combined).not.toHaveBeenCalled();
  combined.mockRestore();
});

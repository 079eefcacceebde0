import { getEventListeners } from 'node:events';
import { joinSignals } from './join-signals.ts';

test('the joined signal fires with the first one and its reason, also when that was before', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const before = joinSignals([one.signal, two.signal]).signal;
  expect(before.aborted).toBe(false);
  two.abort('second');
  for (const { aborted, reason } of [before, joinSignals([one.signal, two.signal]).signal])
    expect({ aborted, reason }).toEqual({ aborted: true, reason: 'second' });
});

test('nothing stays with the signals after the release', () => {
  const { signal } = new AbortController();
  const { release } = joinSignals([signal]);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  release();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

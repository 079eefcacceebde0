import { EventEmitter } from 'node:events';
import { AppError } from '@shelfwise/runtime/errors';
import type { Response } from 'express';
import { createCallsInFlight } from './calls-in-flight.ts';

const newResponse = ({ closed } = { closed: false }) =>
  Object.assign(new EventEmitter(), { writableFinished: false, closed }) as unknown as Response;

/** Work that fails when its signal aborts, as a service's client does. */
const waitForAbort = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new AppError('SERVICE_UNAVAILABLE', 'The service cannot be reached.'));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail);
  });
const stopping = { code: 'SERVICE_UNAVAILABLE', message: 'The service is stopping. Try again.' };

test('calls in flight, and later ones, are aborted with the reason of the shutdown', async () => {
  const calls = createCallsInFlight();
  const underWay = expect(calls.run(newResponse(), waitForAbort)).rejects.toMatchObject(stopping);
  calls.abortAll();
  await underWay;
  await expect(calls.run(newResponse(), waitForAbort)).rejects.toMatchObject(stopping);
});

test('an aborted call that fails for another reason keeps its own error', async () => {
  const calls = createCallsInFlight();
  calls.abortAll();
  const fail = () => Promise.reject(new RangeError('a mistake'));
  await expect(calls.run(newResponse(), fail)).rejects.toThrow('a mistake');
});

test('a call whose caller disconnects is aborted alone', async () => {
  const calls = createCallsInFlight();
  const response = newResponse();
  const left = expect(calls.run(response, waitForAbort)).rejects.toMatchObject({
    message: 'The caller disconnected.',
  });
  const other = calls.run(newResponse(), async (signal) => signal.aborted);
  response.emit('close');
  await left;
  expect(await other).toBe(false);
});

test('a call whose caller disconnected before it started is aborted immediately', async () => {
  const calls = createCallsInFlight();
  await expect(calls.run(newResponse({ closed: true }), waitForAbort)).rejects.toMatchObject({
    message: 'The caller disconnected.',
  });
});

test('work that outlives its caller goes on when the caller disconnects, and ends at a shutdown', async () => {
  const calls = createCallsInFlight();
  const response = newResponse();
  let isAborted = false;
  const underWay = calls.run(response, (signal, outliveCaller) => {
    signal.addEventListener('abort', () => (isAborted = true));
    outliveCaller();
    return waitForAbort(signal);
  });
  response.emit('close');
  expect(isAborted).toBe(false);
  calls.abortAll();
  await expect(underWay).rejects.toMatchObject(stopping);
});

test('an account has 20 slots; the slot of an answered call is free again', async () => {
  const calls = createCallsInFlight();
  const responses = Array.from({ length: 20 }, () => newResponse());
  for (const response of responses) expect(calls.reserve('a', response)).toBe(true);
  expect(calls.reserve('a', newResponse())).toBe(false);
  expect(calls.reserve('b', newResponse())).toBe(true);
  responses[0]?.emit('close');
  await Promise.resolve();
  expect(calls.reserve('a', newResponse())).toBe(true);
  expect(calls.reserve('a', newResponse())).toBe(false);
});

test('work that outlives its caller keeps its slot until it ends, and work that fails frees it', async () => {
  const calls = createCallsInFlight();
  const response = newResponse();
  const others = Array.from({ length: 19 }, () => newResponse());
  for (const one of [response, ...others]) calls.reserve('a', one);
  let fail = () => {};
  const work = new Promise<never>((_resolve, reject) => (fail = () => reject(new Error('failed'))));
  const ended = expect(
    calls.run(response, (_signal, outliveCaller) => {
      outliveCaller();
      return work;
    }),
  ).rejects.toThrow('failed');
  response.emit('close');
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls.reserve('a', newResponse())).toBe(false);
  fail();
  await ended;
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls.reserve('a', newResponse())).toBe(true);
});

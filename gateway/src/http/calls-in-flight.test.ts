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
const stopping = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is stopping. Try again.',
};

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

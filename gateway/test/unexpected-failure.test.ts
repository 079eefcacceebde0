import { z } from 'zod';
import { probe } from './harness/probe-route.ts';
import { useGateway } from './harness/use-gateway.ts';

const fails = z.string().transform((id): string => {
  if (id === '1') throw new RangeError('a mistake in a check');
  return id;
});
const api = useGateway({ routes: [{ ...probe, params: z.object({ id: fails }) }] });

test('a bug in a check is 500, is logged as an error, and does not bypass the rate windows', async () => {
  const { key } = await api.createKey();
  for (let call = 0; call < 5; call++)
    expect(await api.call('GET', '/api/v1/probe/1', { key, withoutPause: true })).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL_ERROR', error: expect.not.stringContaining('mistake') },
    });
  expect((await api.call('GET', '/api/v1/probe/1', { key, withoutPause: true })).status).toBe(429);
  const failures = api.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
  expect(failures).toHaveLength(5);
  // 50 is the log level of errors.
  expect(failures[0]).toMatchObject({ level: 50, code: 'INTERNAL_ERROR' });
  expect(JSON.stringify(failures[0])).toContain('a mistake in a check');
  const requests = api.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(requests[0]).toMatchObject({ level: 30, status: 500, request_id: failures[0].request_id });
});

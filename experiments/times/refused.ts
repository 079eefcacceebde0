import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createGateway } from '@shelfwise/gateway/gateway';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { Connection } from 'mongoose';
import { createClientsOf, gatewayDefaults } from '../lib/gateway-defaults.ts';
import type { LoadOrder, LoadResult } from '../lib/gateway-load.ts';
import { quantile } from '../lib/quantile.ts';
import { defineTimes } from './define-times.ts';
import { pathOptions, startProgram, stopProgram } from './path-systems.ts';
import { ownCpuMicros } from './rounds.ts';

const bodyBytes = 250 * 1024;
/** A key may make 59 calls a minute. */
const keyCount = 1000;
const path = '/api/v1/applications';

/** The load generator, the database and the services run in separate processes; the CPU time is that of the gateway. */
export const times = defineTimes({
  name: 'refused',
  question:
    'What do refused calls with a large body cost, and a flood of invalid keys, compared with admitted calls?',
  options: { seconds: [4, 'the length of each load'], connections: pathOptions.connections },
  async run({ seconds, connections }) {
    const load = startProgram('gateway-load.ts');
    const services = startProgram('gateway-services.ts');
    const [{ address, mongodbUri }] = (await once(services, 'message')) as [
      { address: string; mongodbUri: string },
    ];
    const logger = createLogger({ name: 'refused-times', level: 'silent', destination: process.stderr });
    const connection = await connectMongo({ uri: mongodbUri, database: 'refused_times', logger });
    const { clients, close } = createClientsOf(address);
    const gateway = createGateway({
      ...gatewayDefaults,
      connection,
      isDatabaseEmbedded: true,
      clients,
      logger,
      metrics: createMetrics(),
    });
    await gateway.start();
    const { port } = gateway.address() as AddressInfo;
    const keys: string[] = [];
    for (let index = 0; index < keyCount; index++)
      keys.push((await gateway.accounts.create({ email: `a${index}@example.com`, plan: 'unlimited' })).key);
    const [slowKey = '', ...fastKeys] = keys;

    /** Prints one row and returns the CPU time of a call in us. */
    async function measure(
      name: string,
      calls: Pick<LoadOrder, 'keys' | 'bodyBytes'>,
      forSeconds = seconds,
    ): Promise<number> {
      const cpuBefore = ownCpuMicros();
      load.send({ ...calls, port, path, connections, seconds: forSeconds } satisfies LoadOrder);
      const [result] = (await once(load, 'message')) as [LoadResult];
      const cpuMicros = (ownCpuMicros() - cpuBefore) / result.count;
      const statuses = Object.entries(result.statuses).map(([status, count]) => `${status}: ${count}`);
      console.log(
        `${name.padEnd(30)} ${Math.round(cpuMicros)} us CPU  ${Math.round(result.count / result.seconds)}/s  ${statuses.join(', ')}`,
      );
      return cpuMicros;
    }

    console.log(`bodies of ${bodyBytes / 1024} KiB, ${connections} connections`);
    await measure('warm-up', { keys: fastKeys, bodyBytes }, 1);
    const admitted = await measure('admitted, answered 400', { keys: fastKeys, bodyBytes });
    const refused = await measure('refused by a rate window', { keys: [slowKey], bodyBytes });
    console.log(`refused / admitted: ${(refused / admitted).toFixed(2)} of the CPU\n`);
    await measure('refused, without a body', { keys: [slowKey] });
    const probing = probeWithValidKeys(connection, `http://127.0.0.1:${port}${path}`, fastKeys);
    await measure('invalid keys from one address', { keys: 'invalid' });
    await probing.print();

    for (const child of [load, services]) await stopProgram(child);
    await gateway.stop();
    close();
    await connection.close();
  },
});

/** Calls with valid keys that are not cached, one at a time, and counts the look-ups of the database meanwhile. */
function probeWithValidKeys(connection: Connection, url: string, keys: readonly string[]) {
  let lookups = 0;
  const accounts = connection.models.Account?.collection;
  if (!accounts) throw new Error('the accounts have no model');
  for (const name of ['findOne', 'find'] as const) {
    const method = accounts[name].bind(accounts) as (...args: unknown[]) => unknown;
    Object.assign(accounts, {
      [name]: (...args: unknown[]) => {
        lookups++;
        return method(...args);
      },
    });
  }
  const latenciesMs: number[] = [];
  let isEnding = false;
  const done = (async () => {
    for (const key of keys) {
      if (isEnding) return;
      const startedMs = performance.now();
      await fetch(url, { headers: { 'x-api-key': key } }).then((answer) => answer.text());
      latenciesMs.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  return {
    async print() {
      isEnding = true;
      await done;
      const at = (part: number) => quantile(latenciesMs, part).toFixed(0);
      console.log(`  ${lookups} look-ups; a valid key meanwhile: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    },
  };
}

import { type Balancer, startBalancer } from '../lib/balancer.ts';
import { type DistributedSystem, startDistributedSystem } from '../lib/distributed-system.ts';
import type { Engines } from './engines.ts';
import { type EventAudit, startEventAudit } from './event-audit.ts';

export type FaultySystem = {
  system: DistributedSystem;
  balancer: Balancer;
  events: EventAudit;
  /** MONGODB_PREFIX */
  prefix: string;
  stop(): Promise<void>;
};

/** `npm run start:distributed` with two copies of everything, a balancer before it and a reader of its events. */
export async function startFaultySystem(options: {
  engines: Engines;
  port: number;
  servicePort: number;
  /** see shift-clock.mjs */
  clockFile: string;
  settings: Readonly<Record<string, string>>;
}): Promise<FaultySystem> {
  const { engines, port, servicePort, clockFile, settings } = options;
  const { MONGODB_PREFIX: prefix = '' } = settings;
  const shift = new URL('./shift-clock.mjs', import.meta.url).href;
  const system = await startDistributedSystem(
    ['--copies', 'all=2', '--service-port', String(servicePort)],
    {
      ...engines.settings,
      PORT: String(port),
      METRICS_PORT: String(port + 100),
      FAULTS_CLOCK_FILE: clockFile,
      FAULTS_CLOCK_PORT: String(port + 1),
      ...settings,
    },
    ['--import', shift],
  );
  const events = await startEventAudit({
    brokers: engines.settings.KAFKA_BROKERS,
    mongodbUri: engines.settings.MONGODB_URI,
    prefix,
  });
  const balancer = startBalancer(system.urls);
  console.log(`# started in ${Math.round(system.startedInMs)} ms: ${system.urls.join(', ')}`);
  return {
    system,
    balancer,
    events,
    prefix,
    async stop() {
      await balancer.stop();
      await events.stop();
      const code = await system.end();
      if (code !== 0)
        throw new Error(`start:distributed ended with ${code}:\n${system.output().slice(-2000)}`);
    },
  };
}

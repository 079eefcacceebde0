import { Gauge, type Registry } from 'prom-client';
import { createSources } from './sources.ts';

const states = ['ok', 'degraded', 'down'] as const;

/** The state of a part, in any letter case. */
type ShownState = { name: string; state: string };

/** The gauge of what the health pages show. Each service of the process adds its parts. */
export function createPartMetrics(registry: Registry) {
  const sources = createSources<readonly ShownState[]>();
  new Gauge({
    name: 'shelfwise_part_state',
    help: '1 for the state in which a part of a service is, as /readyz shows it, and 0 for the other states',
    labelNames: ['service', 'part', 'state'],
    registers: [registry],
    collect() {
      return sources.show(this, (service, parts) =>
        parts.flatMap(({ name: part, state: current }) =>
          states.map((state) => ({
            labels: { service, part, state },
            value: current.toLowerCase() === state ? 1 : 0,
          })),
        ),
      );
    },
  });
  return sources;
}

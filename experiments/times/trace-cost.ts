import { once } from 'node:events';
import { resolve } from 'node:path';
import { defineTimes } from './define-times.ts';
import {
  here,
  type PathSystem,
  pathColumns,
  pathOptions,
  startPath,
  startProgram,
  stopProgram,
} from './path-systems.ts';
import { measureInTurns } from './rounds.ts';

const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };

/** The first system runs twice, which shows the noise. */
export const times = defineTimes({
  name: 'trace-cost',
  question:
    'What do traces cost the whole path of a call: without a collector, with one, and with 5 % of the calls recorded?',
  options: {
    rounds: [15, 'rounds of each system'],
    ...pathOptions,
    before: ['', 'the folder of a built checkout: also this version of the product'],
    off: [false, 'only without a collector: whether the code costs anything then'],
  },
  async run({ rounds, before, off, ...options }) {
    const collector = startProgram('trace-sink.ts');
    const [OTEL_EXPORTER_OTLP_ENDPOINT] = (await once(collector, 'message')) as [string];
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT };
    const versions = [
      { name: 'off', tree: here, env: {} },
      ...(before === '' ? [] : [{ name: 'before', tree: resolve(before), env: {} }]),
      { name: 'off, again', tree: here, env: {} },
      ...(off ? [] : [{ name: 'on, 5 % recorded', tree: here, env: { ...on, ...sampler } }]),
      ...(off ? [] : [{ name: 'on', tree: here, env: on }]),
    ];
    const path = await startPath(options);
    for (const kind of ['all-in-one', 'apart'] as const) {
      const systems: PathSystem[] = [];
      for (const [index, { name, ...version }] of versions.entries()) {
        const database = `trace_cost_${kind.replaceAll('-', '_')}_${index}`;
        systems.push(await path.start(name, { kind, hasQuota: false, database }, version));
      }
      const cases = systems.map((system) => ({ name: system.name, measure: () => path.measure(system) }));
      const results = await measureInTurns(cases, { rounds, warmUps: 0, columns: pathColumns });
      results.print(kind);
      for (const { child } of systems) await stopProgram(child);
    }
    await path.stop();
    await stopProgram(collector);
  },
});

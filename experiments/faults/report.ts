import type { Phase } from './phase.ts';

export function describePhase(phase: Phase): string {
  const { effects, windows } = phase;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  return [
    `\n# ${phase.name} (load ${phase.load.toFixed(1)})`,
    `${phase.requests} requests, ${phase.acknowledgedWrites} writes; errors ${[...phase.errors].map(([code, count]) => `${code} ${count}`).join(', ') || 'none'}`,
    `longest outage ${seconds(phase.outage.ms)} s (${phase.outage.kind}), well after ${seconds(phase.recoveredAfterMs)} s; p99 of others ${Math.round(phase.othersP99)} ms, ${phase.othersErrors} errors`,
    `longest way of an event ${seconds(phase.longestWayMs)} s; windows ${windows.inASecond} and ${windows.inAMinute}`,
    ...Object.entries(effects).map(
      ([name, list]) => `  ${name} ${list.length} ${list.slice(0, 4).join('; ')}`,
    ),
  ].join('\n');
}

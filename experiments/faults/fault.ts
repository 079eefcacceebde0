import type { Balancer } from '../lib/balancer.ts';
import type { DistributedSystem } from '../lib/distributed-system.ts';
import type { Judged } from '../lib/judge-on-machine.ts';
import type { Client, Kind } from './clients.ts';
import type { EventAudit } from './event-audit.ts';
import type { SpentRequests } from './spent-requests.ts';

/** Something that is expected. `isTime`: of times and of calls that should notice nothing, which other work on the machine can spoil. */
export type Finding = Judged & { isTime?: boolean };

/** One line of the table. */
export type Fault = {
  /** The row of the table in docs/faults.md. The faults of one row differ in what is at fault. */
  row: number;
  name: string;
  /** For how long nothing can answer the calls concerned, in ms; 0 when another copy can. */
  awayMs: number;
  /** For how long nothing can carry events, in ms; null when the fault sets events no limit. */
  eventsAwayMs: number | null;
  /** What the other calls may take longer than twice the time without a fault, in ms. */
  addedMs: number;
  /** How many gateways may admit calls by windows of their own. */
  windowSets: 1 | 2;
  /** Whether its calls need what is at fault. Calls of other kinds should notice nothing. */
  concerns(kind: Kind): boolean;
  /** Whether the figures of calls depend on the database server, so that only a real one counts. */
  isOfDatabase: boolean;
  /** Causes the fault and takes it back. Resolves when the system can work again. */
  cause(deps: CauseDeps): Promise<Course | undefined>;
};

/** A fault that only the attacker notices, apart from what `more` says. */
export function defineFault(
  row: number,
  name: string,
  cause: Fault['cause'],
  more: Partial<Fault> = {},
): Fault {
  const harmless = { awayMs: 0, eventsAwayMs: 0, addedMs: 0, windowSets: 1, isOfDatabase: false } as const;
  return { ...harmless, concerns: () => false, row, name, cause, ...more };
}

/** How a fault went: what only it shows, and its length when that depends on how long a process takes to start. */
export type Course = { findings?: readonly Finding[]; lengthMs?: number };

/** What a phase runs with. */
export type PhaseDeps = {
  system: DistributedSystem;
  balancer: Balancer;
  clients: readonly Client[];
  /** Between two calls of a client, in ms. */
  everyMs: number;
  spent: SpentRequests;
  /** One that no phase has used. */
  takeAccount(): { id: string; key: string };
  events: EventAudit;
  /** An app of the store that no client tracks. */
  appId: string;
};

/** What a fault is caused with. */
export type CauseDeps = PhaseDeps & {
  /** Resolves when all calls of some seconds were answered well and fast, or after a minute. */
  untilCalm(): Promise<void>;
  /** How many calls have failed so far. */
  countFailed(): number;
};

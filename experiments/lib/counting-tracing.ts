import { AsyncLocalStorage } from 'node:async_hooks';
import type { NewSpan, Span, Tracing } from '@shelfwise/runtime/tracing/tracing';

/**
 * `call`: until the answer; `followUp`: the events and jobs that come from it; `around`: the search for due work, the relay of
 * events, and the rest that no call or event asks for.
 */
export type Phase = 'call' | 'followUp' | 'around';

export type Counts = {
  commands: Readonly<Record<Phase, number>>;
  /** Of the call and its follow-up. */
  rpcs: number;
  /** Deliveries and jobs of the follow-up. */
  deliveries: number;
  jobs: number;
  /** How often each command ran, by phase and name: `call find terms`. */
  byName: ReadonlyMap<string, number>;
};

type CountedSpan = Span & { phase: Phase };

export type CountingTracing = ReturnType<typeof createCountingTracing>;

/** Counts the commands, RPCs, deliveries and jobs of this process by its spans; keeps none of them. */
export function createCountingTracing() {
  const storage = new AsyncLocalStorage<CountedSpan | null>();
  const phases = new Map<string, Phase>();
  let spanCount = 0;
  let open = 0;
  let lastAt = performance.now();
  let counts = emptyCounts();

  const around = toSpan('around');

  function toSpan(phase: Phase): CountedSpan {
    const id = (++spanCount).toString(16).padStart(16, '0');
    const traceId = id.padStart(32, '0');
    const traceparent = `00-${traceId}-${id}-01`;
    phases.set(traceparent, phase);
    let isOpen = true;
    return {
      phase,
      traceId,
      traceparent,
      rename() {},
      set() {},
      fail() {},
      end() {
        if (!isOpen || phase === 'around') return;
        isOpen = false;
        open--;
        lastAt = performance.now();
      },
    };
  }

  function phaseOf({ kind, parent }: NewSpan): Phase {
    if (kind === 'producer' || kind === 'consumer') return 'followUp';
    if (parent === null) return kind === 'server' ? 'call' : 'followUp';
    if (parent !== undefined) return phases.get(parent) ?? 'around';
    return (storage.getStore() ?? around).phase;
  }

  const tracing: Tracing = {
    start(newSpan) {
      const phase = phaseOf(newSpan);
      count(newSpan, phase);
      const span = toSpan(phase);
      if (phase === 'around') return span;
      open++;
      lastAt = performance.now();
      return span;
    },
    runIn: (span, work) => storage.run(span as CountedSpan | null, work),
    // Never null, so that commands without a span are counted, too.
    active: () => storage.getStore() ?? around,
  };

  function count({ name, kind, attributes = {} }: NewSpan, phase: Phase): void {
    if (attributes['db.system.name'] !== undefined) {
      counts.commands[phase]++;
      const key = `${phase} ${name}`;
      counts.byName.set(key, (counts.byName.get(key) ?? 0) + 1);
    } else if (phase === 'around') return;
    else if (kind === 'client' && attributes['rpc.system.name'] !== undefined) counts.rpcs++;
    else if (kind === 'consumer') counts.deliveries++;
    else if (name.startsWith('job ')) counts.jobs++;
  }

  return {
    tracing,
    /** Resolves once nothing of a call or its follow-up has been under way for this long. */
    async untilQuiet(quietMs: number): Promise<void> {
      while (open > 0 || performance.now() - lastAt < quietMs)
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
    /** The counts since the last time. */
    take(): Counts {
      const taken = counts;
      counts = emptyCounts();
      return taken;
    },
  };
}

function emptyCounts() {
  return {
    commands: { call: 0, followUp: 0, around: 0 },
    rpcs: 0,
    deliveries: 0,
    jobs: 0,
    byName: new Map<string, number>(),
  };
}

import {
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@shelfwise/proto/grpc-health';
import { checkAll, type StatusCheck, worstState } from '../process/status.ts';
import { frequentPingsName } from './frequent-pings.ts';

type Watch = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>;
type Status = HealthCheckResponse['status'];

/** Many probes cause one check: its result is kept for this long. Watches learn of a change as soon. */
const defaultKeptMs = 1000;

/**
 * The health checking protocol of gRPC for these services, by full name, and for the server as a whole (an empty name). It tells
 * load balancers where to send calls: NOT_SERVING while the server drains or `ownNeeds` is DOWN, otherwise SERVING. These are
 * the conditions for a 503 of /readyz. An answer takes 600 ms at most.
 */
export function createHealth(
  services: readonly string[],
  {
    ownNeeds,
    keptMs = defaultKeptMs,
  }: { ownNeeds?: StatusCheck | undefined; keptMs?: number | undefined } = {},
) {
  const known = new Set(['', ...services]);
  /** What each open watch was last told; null: nothing yet. */
  const watches = new Map<Watch, Status | null>();
  let isDraining = false;
  let latest: { atMs: number; reading: Promise<Status> } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function readStatus(): Promise<Status> {
    if (isDraining) return ServingStatus.NOT_SERVING;
    if (!ownNeeds) return ServingStatus.SERVING;
    const atMs = performance.now();
    if (latest === null || atMs - latest.atMs >= keptMs) latest = { atMs, reading: checkOwnNeeds(ownNeeds) };
    const read = await latest.reading;
    // It may have begun to drain meanwhile.
    return isDraining ? ServingStatus.NOT_SERVING : read;
  }

  function tell(call: Watch, state: Status): void {
    if (!watches.has(call) || watches.get(call) === state) return;
    watches.set(call, state);
    call.write({ status: state });
  }

  async function tellWatches(): Promise<void> {
    const state = await readStatus();
    for (const call of watches.keys()) if (known.has(call.request.service)) tell(call, state);
  }

  function forget(call: Watch): void {
    watches.delete(call);
    if (watches.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  const implementation: HealthServer = {
    check(
      { request }: ServerUnaryCall<HealthCheckRequest, HealthCheckResponse>,
      reply: sendUnaryData<HealthCheckResponse>,
    ) {
      if (request.service === frequentPingsName) return reply(null, { status: ServingStatus.SERVING });
      if (known.has(request.service)) {
        void readStatus().then((state) => reply(null, { status: state }));
        return;
      }
      const details = `this server has no service ${request.service}`;
      reply({ code: status.NOT_FOUND, details, metadata: new Metadata() });
    },
    watch(call: Watch) {
      if (isDraining) {
        const isKnown = known.has(call.request.service);
        call.write({ status: isKnown ? ServingStatus.NOT_SERVING : ServingStatus.SERVICE_UNKNOWN });
        return call.end();
      }
      watches.set(call, null);
      call.once('cancelled', () => forget(call));
      if (!known.has(call.request.service)) return tell(call, ServingStatus.SERVICE_UNKNOWN);
      timer ??= setInterval(() => void tellWatches(), keptMs).unref();
      void readStatus().then((state) => tell(call, state));
    },
  };

  return {
    definition: HealthService,
    implementation,
    /** From now on NOT_SERVING. Ends the open watches, which would otherwise keep their connections open. */
    drain() {
      isDraining = true;
      for (const call of watches.keys()) {
        if (known.has(call.request.service)) tell(call, ServingStatus.NOT_SERVING);
        call.end();
      }
      watches.clear();
      clearInterval(timer);
    },
  };
}

/** Never rejects. */
async function checkOwnNeeds(ownNeeds: StatusCheck): Promise<Status> {
  const isDown = worstState(await checkAll({ database: ownNeeds })) === 'down';
  return isDown ? ServingStatus.NOT_SERVING : ServingStatus.SERVING;
}

/** The full name of the health service. */
export const healthServiceName = 'grpc.health.v1.Health';

import {
  FindSimulationsReply,
  FindSimulationsRequest,
  GetSimulationReply,
  GetSimulationRequest,
  ListSimulationsReply,
  ListSimulationsRequest,
  SimulateListingReply,
  SimulateListingRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { callWithin } from '../../../testing/call-within.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { createAuditor } from '../src/audits/auditor.ts';
import { createStores } from '../src/create-stores.ts';
import type { AsoReport } from '../src/domain/audit/aso-report.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { findSimulations } from '../src/handlers/find-simulations.ts';
import { getSimulation } from '../src/handlers/get-simulation.ts';
import { listSimulations } from '../src/handlers/list-simulations.ts';
import { simulateListing } from '../src/handlers/simulate-listing.ts';
import { scoringSchema } from '../src/schema.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { createScriptedMeasurer } from './scripted-measurer.ts';
import { throughContract } from './through-contract.ts';

export type Drafts = Awaited<ReturnType<ReturnType<typeof createDraftHarness>>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
export const play = { ...us, store: 'GPLAY' } as const;

export const silentLog = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

export function within(ms?: number): CallContext {
  return { ...callWithin(ms), signal: new AbortController().signal, log: silentLog };
}

/**
 * The handlers of drafts on the empty database of the file. Requests and replies are encoded and decoded, as between
 * processes. Only the measurer is scripted.
 */
export function createDraftHarness() {
  const database = useDatabase(scoringSchema);

  return async function startDrafts() {
    const { connection } = await database.take();
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const { now, sleep } = clock;
    const stores = createStores(connection);
    const { terms, audits, simulationRuns, keywordsFields } = stores;
    const auditor = createAuditor({
      ...stores,
      isOnlyCopy: false,
      logger: silentLog,
      now,
      wake: () => {},
      wakeWorker: () => {},
      wakeDescriptions: () => {},
    });
    const measurer = createScriptedMeasurer(terms, now, auditor.onMeasured);
    const deps = { ...stores, measurer, auditor, now, sleep };

    return {
      clock,
      terms,
      measurer,
      connection,
      auditor,
      audits,
      simulationRuns,
      keywordsFields,
      /** Replaces the stored audit of an app. */
      async setAudit(listingId: number, report: AsoReport, isShown = true, version = scoringVersion) {
        const at = { computed_at: clock.at, release: { date: clock.at, version: null } };
        const readiness = {
          is_shown: isShown,
          is_aim_read: isShown,
          are_words_read: isShown,
          has_pending_phrases: false,
          unread: [],
          unproven_words: [],
          has_description: false,
        };
        const state = {
          report,
          readiness,
          earlier_report: null,
          neighbors: new Map(),
          form_ranks: new Map(),
          candidates: null,
        };
        const audit = {
          listing_id: listingId,
          ...state,
          scoring_version: version,
          revision: 1,
          read_at: at.computed_at,
          is_timeline_empty: true,
          ...at,
        };
        expect(await audits.replace(await audits.find(listingId), audit, null)).toBe(true);
      },
      async simulate(request: Partial<SimulateListingRequest>, call = within()) {
        const blank = { account_id: 'ann', app: null, storefront: null, draft: null, context: null };
        const defaults = { ...blank, include_words: false };
        const sent = throughContract(SimulateListingRequest, { ...defaults, ...request });
        return throughContract(SimulateListingReply, await simulateListing(deps, sent, call));
      },
      async list(request: Partial<ListSimulationsRequest> = {}) {
        const defaults = { account_id: 'ann', page: 1, per_page: 50, ...request };
        const sent = throughContract(ListSimulationsRequest, defaults);
        return throughContract(ListSimulationsReply, await listSimulations({ simulationRuns }, sent));
      },
      async find(request: Partial<FindSimulationsRequest>) {
        const sent = throughContract(FindSimulationsRequest, {
          account_id: 'ann',
          app_id: 42,
          texts: [],
          ...request,
        });
        return throughContract(FindSimulationsReply, await findSimulations({ simulationRuns }, sent));
      },
      async get(id: number, accountId = 'ann') {
        const sent = throughContract(GetSimulationRequest, { account_id: accountId, id });
        return throughContract(GetSimulationReply, await getSimulation({ simulationRuns }, sent));
      },
      runs: () => connection.collection('simulation_runs').find({}).toArray(),
    };
  };
}

/** A tracked app whose listing holds four words. */
export function trackedApp(
  shown: Partial<Listing> = {},
  storefront: typeof us | typeof play = us,
): TrackedListing {
  const listing = {
    ...fakeListing('1001'),
    title: 'Harbour Camera',
    subtitle: 'Photo editor',
    description: 'Takes pictures.',
    ...shown,
  };
  const readAt = new Date('2026-03-10T08:00:00Z');
  return { id: 7, storefront, revision: 1, read_at: readAt, source: 'sample', listing };
}

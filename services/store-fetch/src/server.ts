import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createOutboxRelay } from '@shelfwise/runtime/events/outbox-relay';
import { bindHandlers } from '@shelfwise/runtime/grpc/server/bind-handlers';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { createGrpcService } from '@shelfwise/runtime/service/create-grpc-service';
import { deleteRowsOfAccount } from '@shelfwise/runtime/service/delete-rows-of-account';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import type { Model } from 'mongoose';
import { getChart } from './handlers/get-chart.ts';
import { getIcon } from './handlers/get-icon.ts';
import { getListing } from './handlers/get-listing.ts';
import { getListings } from './handlers/get-listings.ts';
import { listAutocompletes } from './handlers/list-autocompletes.ts';
import { runAutocomplete } from './handlers/run-autocomplete.ts';
import { searchApps } from './handlers/search-apps.ts';
import { suggestTerms } from './handlers/suggest-terms.ts';
import { storeFetchSchema } from './schema.ts';
import type { StoreSource } from './source.ts';
import { createAutocompleteStore } from './stores/autocomplete-store.ts';
import { createIconAddressStore } from './stores/icon-address-store.ts';
import { createSearchTermStore } from './stores/search-term-store.ts';
import { createStoreStateStore } from './stores/store-state-store.ts';

/** How long a live source remembers a term that is no longer searched, and the icon of an app that is no longer shown. */
const rememberedDays = 35;

/**
 * The store-fetch service with one source. Without its database only the autocomplete history fails, and a live source,
 * which stores its call budgets there.
 */
export function createStoreFetchServer(
  deps: GrpcServiceDeps & {
    source: StoreSource;
    /** of the source, for the health page */
    checks: Readonly<Record<string, StatusCheck>>;
    /** Where a live source publishes that a store is away; null: its events stay in the outbox. Default: it has no events. */
    bus?: EventBus | null | undefined;
    /** How long an account's history is kept, in days; default: null, forever. */
    historyDays?: number | null;
    /** Called when the service drains, so that calls queued for a store do not delay it. */
    refuseQueued?: () => void;
  },
): GrpcService {
  const { source, connection, now, logger, refuseQueued = () => {} } = deps;
  const counters = createCounterStore<'autocomplete'>(connection);
  const autocompletes = createAutocompleteStore(connection, counters);
  const sweep = createSweep({
    expiring: [
      {
        name: 'autocomplete queries',
        keptDays: deps.historyDays ?? null,
        deleteBefore: autocompletes.deleteBefore,
      },
      {
        name: 'searched terms',
        keptDays: rememberedDays,
        deleteBefore: createSearchTermStore(connection).deleteBefore,
      },
      {
        name: 'addresses of icons',
        keptDays: rememberedDays,
        deleteBefore: createIconAddressStore(connection).deleteBefore,
      },
    ],
    logger,
    now,
    sleep,
  });
  const handlerDeps = {
    source,
    autocompletes: saveWithSpace(autocompletes, deps.diskSpace),
    sourceGuard: createSourceGuard({ connection }),
    now,
  };
  const relay =
    deps.bus === undefined
      ? null
      : createOutboxRelay({
          models: [createStoreStateStore(connection).model as unknown as Model<unknown>],
          service: 'store-fetch',
          bus: deps.bus,
          hasCopies: !deps.isDatabaseEmbedded,
          logger,
          metrics: deps.metrics,
          now,
        });
  return createGrpcService(deps, {
    name: 'store-fetch',
    schema: storeFetchSchema,
    services: [
      bindHandlers(
        StoreFetchServiceService,
        {
          searchApps,
          getListing,
          getListings,
          suggestTerms,
          getChart,
          getIcon,
          runAutocomplete,
          listAutocompletes,
        },
        handlerDeps,
      ),
      bindHandlers(AccountRowsServiceService, { deleteAccountRows: deleteRowsOfAccount }, [autocompletes]),
    ],
    checks: relay ? { ...deps.checks, events: relay.status } : deps.checks,
    startJobs() {
      relay?.start();
      sweep.start();
    },
    async stopJobs() {
      refuseQueued();
      await sweep.stop();
    },
    afterJobs: async () => relay?.stop(),
  });
}

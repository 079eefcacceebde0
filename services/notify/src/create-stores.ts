import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createDeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
import { createReservationStore } from '@shelfwise/runtime/mongo/reservation-store';
import type { Connection } from 'mongoose';
import { createAccountStore } from './stores/account-store.ts';
import { createAlertStore } from './stores/alert-store.ts';
import { createAuditStore } from './stores/audit-store.ts';
import { createChannelStore } from './stores/channel-store.ts';
import { createChartPageStore } from './stores/chart-page-store.ts';
import { createCompetitorStore } from './stores/competitor-store.ts';
import { createDeliveryStore } from './stores/delivery-store.ts';
import { createDigestStore } from './stores/digest-store.ts';
import { createListingStore } from './stores/listing-store.ts';
import { createMailedAddressStore } from './stores/mailed-address-store.ts';
import { createPageStore } from './stores/page-store.ts';
import { createRuleStore } from './stores/rule-store.ts';
import { createStoreStateStore } from './stores/store-state-store.ts';
import { createTrackedAppStore } from './stores/tracked-app-store.ts';
import { createTrackedKeywordStore } from './stores/tracked-keyword-store.ts';

const asOneOfMany = { isOnlyCopy: false };

/** @param options `isOnlyCopy`: see `ServiceDeps` */
export function createStores(connection: Connection, { isOnlyCopy }: { isOnlyCopy: boolean } = asOneOfMany) {
  const accounts = createAccountStore(connection);
  const counters = createCounterStore<'rule' | 'channel' | 'delivery' | 'digest'>(connection);
  return {
    accounts,
    rules: createRuleStore(connection, counters),
    alerts: createAlertStore(connection, accounts),
    channels: createChannelStore(connection, counters),
    deliveries: createDeliveryStore(connection, counters),
    digests: createDigestStore(connection, counters),
    trackedApps: createTrackedAppStore(connection),
    trackedKeywords: createTrackedKeywordStore(connection),
    competitors: createCompetitorStore(connection),
    listings: createListingStore(connection),
    pages: createPageStore(connection),
    audits: createAuditStore(connection),
    chartPages: createChartPageStore(connection),
    storeStates: createStoreStateStore(connection),
    reservations: createReservationStore(connection),
    mailedAddresses: createMailedAddressStore(connection),
    deletedAccounts: createDeletedAccountStore(connection, isOnlyCopy),
  };
}

import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import type { DatabaseSchema } from '@shelfwise/runtime/mongo/schema/database-schema';
import { createAccountModel } from './accounts/account-model.ts';
import { createAssetModel } from './dashboard/asset-model.ts';
import { createDraftModel } from './dashboard/draft-model.ts';
import { createSessionModel, createSignInLinkModel } from './dashboard/session-model.ts';
import { createUsageModel } from './limits/usage-model.ts';
import {
  createCallModel,
  createClientModel,
  createCodeModel,
  createGrantModel,
  createTokenModel,
} from './oauth/oauth-models.ts';
import { createShareLinkModel } from './share-links/share-link-model.ts';

/** The gateway's own database; no service reads it. */
export const gatewayDatabase = 'shelfwise_gateway';

/** What this version expects of the database of the gateway. */
export const gatewaySchema: DatabaseSchema = {
  database: gatewayDatabase,
  createModels(connection) {
    createAccountModel(connection);
    createUsageModel(connection);
    createSessionModel(connection);
    createSignInLinkModel(connection);
    createAssetModel(connection);
    createDraftModel(connection);
    createShareLinkModel(connection);
    createClientModel(connection);
    createCodeModel(connection);
    createGrantModel(connection);
    createTokenModel(connection);
    createCallModel(connection);
    createCounterStore(connection);
  },
  migrations: [],
};

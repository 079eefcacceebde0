import type { Figure, Model } from '../../figure.ts';

export type UsageBar = {
  name:
    | 'apps'
    | 'keywords'
    | 'competitors'
    | 'api_requests'
    | 'keyword_inspections'
    | 'niche_analyses'
    | 'autocomplete_queries'
    | 'metadata_simulations';
  used: Figure;
  limit: Figure;
};

export type AccountModel = Model<{
  email: string;
  plan: string;
  hasApi: boolean;
  keyPrefix: string;
  /** when the key was made, ISO 8601; null: not known */
  keyMadeAt: string | null;
  usage: UsageBar[];
  renewsAt: string;
  /** `label`: the user agent at its start */
  sessions: { id: string; label: string; createdAt: string; lastSeenAt: string; isThis: boolean }[];
  /** Assistants that use the account without its key, the last used first. */
  connections: {
    id: string;
    client: string;
    redirectHost: string;
    canWrite: boolean;
    createdAt: string;
    lastUsedAt: string;
  }[];
  canAssistantsConnect: boolean;
  /** the address of this Shelfwise, as clients reach it */
  url: string;
}>;

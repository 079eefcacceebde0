/** A collection that stays small enough to be read as a whole. */
type Exemption = {
  collection: string;
  /** Only for filters on exactly these paths; absent: for every filter. */
  paths?: readonly string[];
  reason: string;
};

export const smallCollections: readonly Exemption[] = [
  { collection: 'migrations', reason: 'one document for each migration of the product' },
  { collection: 'dashboard_assets', reason: 'the files of the last twenty builds' },
  {
    collection: 'accounts',
    paths: ['deleted_at'],
    reason: 'the list of all accounts, which only the operator asks for',
  },
];

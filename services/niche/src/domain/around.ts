/** What the store shows around a topic. */
export type Around = {
  /** normal form */
  topic: string;
  /** What the store suggests, in normal form. */
  suggested: ReadonlySet<string>;
  /** Store identifiers of the first 20 apps of the topic's result page, in the store's order. */
  topicApps: readonly string[];
};

/** A release of an app, as far as its listing tells. */
export type Release = {
  /** When the store says that it was released; when it does not, when it was first seen. */
  date: Date;
  /** Null: the store does not say. */
  version: string | null;
};

type Shown = { version: string | null; updated_at: Date | null; read_at: Date };

/**
 * The release that a listing shows, given the one that it showed before (null: none is known): that one, unless it names
 * another version, or, where one of the two has none, a later day of release.
 */
export function releaseOf(
  { version, updated_at: updatedAt, read_at: readAt }: Shown,
  known: Release | null,
): Release {
  const shown = { date: updatedAt ?? readAt, version };
  if (known === null) return shown;
  const isNext =
    version !== null && known.version !== null
      ? version !== known.version
      : updatedAt !== null && updatedAt > known.date;
  return isNext ? shown : { date: known.date, version: version ?? known.version };
}

/** Whether another release has come. A version that becomes known is none. */
export function isNextRelease(known: Release, shown: Release): boolean {
  const isOtherVersion = known.version !== null && shown.version !== known.version;
  return isOtherVersion || shown.date.getTime() !== known.date.getTime();
}

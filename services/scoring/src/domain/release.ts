/** A release of an app, as far as its listing shows. */
export type Release = {
  /** The release date that the store names, else the time at which the release was first seen. */
  date: Date;
  /** Null: the store does not say. */
  version: string | null;
};

type Shown = { version: string | null; updated_at: Date | null; read_at: Date };

/**
 * The release that a listing shows, given the one that it showed before (null: none known). It is a new one when the version
 * differs, or one is unknown and the store names a later date. Otherwise it is the known one.
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

/** Whether `shown` is another release than `known`. A version that becomes known is not one. */
export function isNextRelease(known: Release, shown: Release): boolean {
  const isOtherVersion = known.version !== null && shown.version !== known.version;
  return isOtherVersion || shown.date.getTime() !== known.date.getTime();
}

/** How often a digest is sent; `week`: on Mondays. */
export const digestEvery = ['day', 'week'] as const;
export type DigestEvery = (typeof digestEvery)[number];

/** What a digest has, in this order. */
export const digestPartNames = ['movers', 'entered_and_left', 'listing_changes', 'unread'] as const;
export type DigestPart = (typeof digestPartNames)[number];

/** The most digests of an account. */
export const maxDigests = 20;
/** Of the name of a time zone, in characters. */
export const maxTimeZoneLength = 64;

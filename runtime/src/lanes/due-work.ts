/**
 * One kind of work that comes due every UTC day, in one store. A lane of the daily run takes pieces of it, several at
 * once, as long as any are due and the store can be read.
 */
export type DueWork<Piece> = {
  /** As progress and the health page name it: "App Store result pages". */
  name: string;
  /** How many pieces are read at the same time. */
  atOnce: number;
  /**
   * Takes up to `count` pieces that are due, the most important first; for a trial, whether anything can be read at
   * all, those that have been due for longest: a piece that fails then comes last, so that each trial is of another
   * one. A piece that was taken is nobody else's, in no copy of the service, until the claim runs out; that of a copy
   * that died comes due again then.
   */
  claim(count: number, isTrial: boolean): Promise<Piece[]>;
  /**
   * Reads a piece from the store and keeps what it shows; it is not due again that day. `not wanted`: nobody tracks it
   * any more, or somebody else has read it meanwhile; the store was not asked.
   * @throws STORE_FETCH_FAILED, SERVICE_UNAVAILABLE, or the signal's reason
   */
  read(piece: Piece, call: { requestId: string; signal: AbortSignal }): Promise<'done' | 'not wanted'>;
  /**
   * The piece could not be read: it comes due again later, the later the more often it has failed by itself. While
   * nothing can be read it is not to blame, and soon due again.
   */
  fail(piece: Piece, isToBlame: boolean): Promise<void>;
  /** Pieces that were taken and not tried are due again at once. */
  putBack(pieces: readonly Piece[]): Promise<void>;
};

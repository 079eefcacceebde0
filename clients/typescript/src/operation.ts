/** One endpoint, as the client calls it. */
export type Operation = {
  method: string;
  /** with placeholders: /api/v1/applications/{id} */
  path: string;
  /** The names of the parameters in the query. */
  query: readonly string[];
  /** The names of the fields of the body; none: it has no body. */
  body: readonly string[];
  /** The API answers within this time. */
  deadlineMs: number;
  /** Sending it again does nothing twice. */
  isRepeatable: boolean;
  /**
   * Of a list with pages: the field of the data that has the rows; null: the data are the rows. `cursor` is the parameter that takes
   * the id of the last row seen.
   */
  rows: { field: string | null; cursor: string | null } | null;
};

/** Answers without a meta have an empty one. */
export type Answer<Data, Meta> = {
  /** As the API sent it: null stays null. */
  data: Data;
  meta: Meta;
  /** What the API warns of; the data are valid. */
  warnings: readonly string[];
  /** The id of the call in the logs of the API. */
  requestId: string | null;
};

export type CallOptions = {
  /** Ends the call, and the waits between its tries. */
  signal?: AbortSignal;
  /** Of each try, in ms. Without it: the time in which the API answers this call, and ten seconds. */
  timeoutMs?: number;
  /** Tries after the first one, at most. */
  maxRetries?: number;
  /** 1 to 64 of A-Z a-z 0-9 . _ - : the id of the call in the logs of the API. */
  requestId?: string;
};

export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { ApiError, ConnectionError, ShelfwiseError, TimeoutError } from './errors.ts';
export type { Operations, Pages, Rows } from './generated/operations.ts';
export type * from './generated/schemas.ts';
export type { Answer, CallOptions } from './operation.ts';

import type { Logger } from '../logger.ts';

/** What ts-proto generates for one unary method; the two mapped types below are read from it. */
export type UnaryMethod<Request, Reply> = {
  path: string;
  requestStream: false;
  responseStream: false;
  requestSerialize(value: Request): Buffer;
  requestDeserialize(value: Buffer): Request;
  responseSerialize(value: Reply): Buffer;
  responseDeserialize(value: Buffer): Reply;
};

/** A generated service definition: a table of unary methods. */
export type ServiceTable = Record<string, unknown>;

type RequestOf<Method> = Method extends { requestDeserialize(value: Buffer): infer Request }
  ? Request
  : never;
type ReplyOf<Method> = Method extends { responseDeserialize(value: Buffer): infer Reply } ? Reply : never;

/** What every call carries through all services that it goes through. */
export type CallContext = {
  requestId: string;
  /** After this moment nobody waits for the answer. */
  deadline: Date;
  /** Fires when the caller has gone or the deadline has passed. */
  signal: AbortSignal;
  log: Logger;
};

/** One handler per RPC: a missing one does not compile. */
export type GrpcHandlers<Service extends ServiceTable> = {
  [Name in keyof Service]: (
    request: RequestOf<Service[Name]>,
    call: CallContext,
  ) => Promise<ReplyOf<Service[Name]>>;
};

/** What a client passes on: a handler's own context fits. */
export type CallOptions = Pick<CallContext, 'requestId' | 'deadline'> & { signal?: AbortSignal };

/** One promise-returning function per RPC. */
export type GrpcClient<Service extends ServiceTable> = {
  [Name in keyof Service]: (
    request: RequestOf<Service[Name]>,
    options: CallOptions,
  ) => Promise<ReplyOf<Service[Name]>>;
};

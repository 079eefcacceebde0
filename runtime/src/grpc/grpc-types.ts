import type { Logger } from '../log/logger.ts';
import type { CallSignal } from './call-signal.ts';

/** A unary method as ts-proto generates it. The mapped types below infer their types from it. */
export type UnaryMethod<Request, Reply> = {
  path: string;
  requestStream: false;
  responseStream: false;
  requestSerialize(value: Request): Buffer;
  requestDeserialize(value: Buffer): Request;
  responseSerialize(value: Reply): Buffer;
  responseDeserialize(value: Buffer): Reply;
};

/** A service definition as ts-proto generates it: a table of unary methods. */
export type ServiceTable = Record<string, unknown>;

export type RequestOf<Method> = Method extends { requestDeserialize(value: Buffer): infer Request }
  ? Request
  : never;
export type ReplyOf<Method> = Method extends { responseDeserialize(value: Buffer): infer Reply }
  ? Reply
  : never;

/** The context of a call, passed on through all services. */
export type CallContext = {
  requestId: string;
  /**
   * For whom the work is done: an opaque id, by which shared resources are given out in turn. Undefined: background
   * work.
   */
  callerId?: string | undefined;
  /** The caller stops waiting at this moment. */
  deadline: Date;
  /** Fires when the caller cancels, the deadline passes, or the reply is sent: work that is left over ends. */
  signal: AbortSignal;
  /**
   * To be called when the work starts, if it waits before that and goes on when its callers leave. The caller learns of
   * it before the reply: until then it can leave at no cost. Only the first call counts.
   */
  onStarted?: (() => void) | undefined;
  log: Logger;
};

/** One handler per RPC; a missing handler is a compile error. */
export type GrpcHandlers<Service extends ServiceTable> = {
  [Name in keyof Service]: (
    request: RequestOf<Service[Name]>,
    call: CallContext,
  ) => Promise<ReplyOf<Service[Name]>>;
};

/** The options of a client call. A handler can pass its own context. */
export type CallOptions = Pick<CallContext, 'requestId' | 'deadline' | 'callerId' | 'onStarted'> & {
  signal?: AbortSignal;
};

/** One async function per RPC. */
export type GrpcClient<Service extends ServiceTable> = {
  [Name in keyof Service]: (
    request: RequestOf<Service[Name]>,
    options: CallOptions,
  ) => Promise<ReplyOf<Service[Name]>>;
};

/**
 * Sends an encoded request to a method, by its path, and resolves with the encoded reply. Rejects with a ServiceError
 * of gRPC on every transport.
 */
export type SendCall = (path: string, request: Buffer, options: CallOptions) => Promise<Buffer>;

/** A server of this process, which clients call without a socket. */
export type ServiceInProcess = { send: SendCall };

/** How to reach a service: `host:port` or `unix:/path` over gRPC, or the server itself in the same process. */
export type ServiceAddress = string | ServiceInProcess;

/** A call as it arrives at a server. */
export type IncomingCall = {
  /** a header by its name */
  header(name: string): string | undefined;
  deadline: Date;
  signal: CallSignal;
  /** Tells the caller ahead of the reply that the work has started. */
  sendStarted(): void;
};

import type { UnaryMethod } from '@shelfwise/runtime/grpc/grpc-types';

/** One RPC that must not be repeated. Its message is the id of the write. */
const write: UnaryMethod<string, string> = {
  path: '/probe.v1.WriteService/Write',
  requestStream: false,
  responseStream: false,
  requestSerialize: (id) => Buffer.from(id),
  requestDeserialize: String,
  responseSerialize: (id) => Buffer.from(id),
  responseDeserialize: String,
};
export const writeService = { write };

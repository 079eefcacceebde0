import { clientClosed } from '../grpc-errors.ts';
import type { SendCall, ServiceInProcess } from '../grpc-types.ts';

/** Sends calls to a server of this process. */
export function createInProcessChannel(server: ServiceInProcess): { send: SendCall; close(): void } {
  let isClosed = false;
  return {
    send: async (path, request, call) => {
      if (isClosed) throw clientClosed();
      return server.send(path, request, call);
    },
    close: () => {
      isClosed = true;
    },
  };
}

import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Clients } from '../clients.ts';

/**
 * The clients for the calls of one page. What several of its routes read of tracking is read once: the applications, the listing that
 * they pass on to scoring, and the competitors. All routes get the first answer, or its failure. A page lives too short for it to be old.
 */
export function shareReads(clients: Clients): Clients {
  const { tracking } = clients;
  return {
    ...clients,
    tracking: {
      ...tracking,
      listApplications: readOnce(tracking.listApplications),
      getTrackedListing: readOnce(tracking.getTrackedListing),
      listCompetitors: readOnce(tracking.listCompetitors),
    },
  };
}

/** The first call's deadline and signal count for all: they belong to one response. */
function readOnce<Request, Reply>(
  read: (request: Request, call: CallOptions) => Promise<Reply>,
): (request: Request, call: CallOptions) => Promise<Reply> {
  const replies = new Map<string, Promise<Reply>>();
  return (request, call) => {
    const key = JSON.stringify(request);
    const reply = replies.get(key) ?? read(request, call);
    replies.set(key, reply);
    return reply;
  };
}

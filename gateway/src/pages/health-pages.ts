import type { PublicPage } from '../routes/route/define-route.ts';
import type { Readiness } from './readiness.ts';

/**
 * /healthz: the process is alive. /readyz: whether it can work, with the name and state of each part. The details, such
 * as counts, queues and reasons, are for operators only.
 */
export function createHealthPages(readReadiness: () => Promise<Readiness>): PublicPage[] {
  return [
    { path: '/healthz', answer: (_request, response) => void response.json({ status: 'alive' }) },
    {
      path: '/readyz',
      answer: async (_request, response) => {
        const readiness = await readReadiness();
        const isReady = readiness.status === 'ready' || readiness.status === 'degraded';
        response.status(isReady ? 200 : 503).json(withoutDetails(readiness));
      },
    },
  ];
}

function withoutDetails({ status, services, settings }: Readiness) {
  const shown = Object.entries(services).map(([service, parts]) => [
    service,
    parts.map(({ name, state, is_embedded }) => ({ name, state, is_embedded })),
  ]);
  return { status, services: Object.fromEntries(shown), settings };
}

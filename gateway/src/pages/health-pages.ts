import type { PublicPage } from '../routes/common/define-route.ts';
import type { Readiness } from './readiness.ts';

/** /healthz: the process is alive. /readyz: whether it can work, with the state of each part. */
export function createHealthPages(readReadiness: () => Promise<Readiness>): PublicPage[] {
  return [
    { path: '/healthz', answer: (_request, response) => void response.json({ status: 'alive' }) },
    {
      path: '/readyz',
      answer: async (_request, response) => {
        const readiness = await readReadiness();
        const isReady = readiness.status === 'ready' || readiness.status === 'degraded';
        response.status(isReady ? 200 : 503).json(readiness);
      },
    },
  ];
}

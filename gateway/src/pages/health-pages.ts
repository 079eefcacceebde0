import type { PublicPage } from './public-page.ts';
import type { Readiness } from './readiness.ts';

/** /healthz: the process is alive. /readyz: it can do its work, and how each part is. */
export function healthPages(readReadiness: () => Promise<Readiness>): PublicPage[] {
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

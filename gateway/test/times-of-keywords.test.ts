import { NicheOrigin } from '@shelfwise/proto/niche/v1/niche';
import { InspectKeywordReply } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import { routes } from '../src/routes/index.ts';
import {
  asoReport,
  inspectReply,
  keywordScoresReply,
  nicheAnalysis,
  simulateReply,
  simulationReply,
  storefront,
  trackedListing,
} from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

const market = new URLSearchParams(storefront);
const inspection = {
  id: 9,
  keyword_name: 'memo',
  storefront,
  is_partial: false,
  last_inspected_at: new Date('2026-06-14T08:00:00Z'),
  scored_at: new Date('2026-06-14T08:00:00Z'),
};
const job = {
  id: 2,
  state: 'DONE',
  target: { storefront },
  total: 1,
  done: 1,
  failed: 0,
  eta: null,
  created_at: new Date('2026-06-15T10:00:00Z'),
  finished_at: new Date('2026-06-15T10:01:00Z'),
} as const;
const audited = { timeline: [], is_pending: false, is_partial: false };

/**
 * Every answer with the times of keywords that the account may not track. A keyword may be a word of the keywords field that
 * another account has just set.
 */
const answers: Record<
  string,
  { call: [method: string, path: string, body?: object]; prepare: (at: At) => void }
> = {
  getKeywordScores: {
    call: ['GET', `/keywords/scores?keyword=memo&${market}`],
    prepare: (at) => api.scoring.answer({ getKeywordScores: async () => at(keywordScoresReply) }),
  },
  getTrackedKeywordScores: {
    call: ['GET', '/keywords/7/scores'],
    prepare: (at) => api.scoring.answer({ getKeywordScores: async () => at(keywordScoresReply) }),
  },
  inspectKeyword: {
    call: ['GET', `/keywords/inspect?keyword=memo&${market}`],
    prepare: (at) => api.scoring.answer({ inspectKeyword: async () => at(inspectReply) }),
  },
  getJob: {
    call: ['GET', '/jobs/2'],
    prepare: (at) => {
      const value = Buffer.from(InspectKeywordReply.encode(at(inspectReply)).finish());
      const items = [{ position: 1, text: 'memo', outcome: { $case: 'result', value } as const }];
      api.scoring.answer({ getJob: async () => ({ job, items }) });
    },
  },
  listInspections: {
    call: ['GET', '/keywords/inspect/history'],
    prepare: (at) =>
      api.scoring.answer({ listInspections: async () => ({ inspections: [at(inspection)], total: 1 }) }),
  },
  getAsoHealth: {
    call: ['GET', '/applications/42/aso-health?include_words=true'],
    prepare: (at) =>
      api.scoring.answer({ getAsoHealth: async () => ({ ...audited, report: at(asoReport) }) }),
  },
  simulateMetadata: {
    call: ['POST', '/metadata/simulate', { app_id: 42, title: 'Memo' }],
    prepare: (at) =>
      api.scoring.answer({
        simulateListing: async () => at({ ...simulateReply, stale_since: new Date('2026-06-14T08:00:00Z') }),
      }),
  },
  getSimulation: {
    call: ['GET', '/metadata/simulate/history/12'],
    prepare: (at) => api.scoring.answer({ getSimulation: async () => at(simulationReply) }),
  },
  analyzeNiche: {
    call: ['GET', `/niches?topic=memo&${market}`],
    prepare: (at) =>
      api.niche.answer({
        analyzeNiche: async () => ({
          analysis: at(nicheAnalysis),
          origin: NicheOrigin.CACHED,
          is_saved: true,
        }),
      }),
  },
};

/** Moves the times of keywords to one of this day. */
type At = <Reply>(reply: Reply) => Reply;
const timesOfKeywords = new Set(['scored_at', 'read_at', 'details_read_at', 'stale_since', 'oldest_read_at']);
function moveTo(time: string): At {
  const at = new Date(`2026-06-14T${time}Z`);
  const move = (value: unknown, key = ''): unknown => {
    if (value instanceof Date) return timesOfKeywords.has(key) ? at : value;
    if (Array.isArray(value)) return value.map((item) => move(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, move(part, name)]));
  };
  return (reply) => move(reply) as typeof reply;
}

beforeEach(() =>
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    getKeyword: async () => ({ keyword_id: 7, keyword: 'memo', storefront, is_tracked: false }),
    listKeywordTracking: async () => ({ rows: [] }),
  }),
);

test.each(Object.keys(answers))(
  '%s shows the times of keywords that the account does not track to the day, at any time of it',
  async (name) => {
    const { call, prepare } = answers[name] ?? fail(name);
    const [method, path, body] = call;
    const bodies = [];
    for (const time of ['00:00:00.000', '07:13:04.321', '11:59:59', '23:59:59.999']) {
      prepare(moveTo(time));
      const answer = await api.call(method, `/api/v1${path}`, body ? { body } : {});
      expect(answer.status).toBe(200);
      bodies.push(answer.body);
    }
    expect(JSON.stringify(bodies[0])).toContain('2026-06-14T00:00:00.000Z');
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  },
);

test('every answer with such times is listed here, but for those of what the account tracks and of whole analyses', () => {
  const exact = ['listKeywords', 'listNiches'];
  const shown = routes.filter(({ data }) =>
    /"(scored_at|scoredAt)"/.test(
      JSON.stringify(z.toJSONSchema(data, { io: 'input', unrepresentable: 'any' })),
    ),
  );
  expect(shown.map(({ operationId }) => operationId).sort()).toEqual(
    [...Object.keys(answers), ...exact].sort(),
  );
});

function fail(name: string): never {
  throw new Error(`no answer ${name}`);
}

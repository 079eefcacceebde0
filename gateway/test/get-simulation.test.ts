import {
  answers,
  shownReportOfRun,
  shownReportWithWords,
  simulationReply,
  storefront,
} from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/metadata/simulate/history/12';

test('a run shows the draft, its context, and the report', async () => {
  api.scoring.answer({ getSimulation: async () => simulationReply });
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: {
      id: 12,
      app_id: 42,
      ...storefront,
      title: 'Draft',
      baseline_global: 62,
      edited: true,
      runs_count: 3,
      last_run_at: '2026-06-14T08:00:00.000Z',
      ...answers.draft,
      kw_field_known: true,
      context: simulationReply.context,
      scoring_version: 4,
      words_probed: 14,
      report: shownReportOfRun,
    },
  });
  expect(api.scoring.requests).toMatchObject([
    { method: 'getSimulation', request: { account_id: api.accountId, id: 12 } },
  ]);
});

test('a run that was saved with words shows them', async () => {
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, has_words: true }) });
  expect((await api.call('GET', path)).body.data.report).toEqual(shownReportWithWords);
});

const unknownContext = {
  rating: null,
  rating_count: null,
  screenshots: 0,
  days_since_update: null,
  age_months: null,
  has_video: null,
  language_count: null,
};
const withoutApp = { app_id: null, baseline_global: null };
const withoutDelta = { delta: null, delta_basis: null, kw_field_known: false };

test.each([
  ['without pending phrases', {}, { delta_bounds: null }],
  ['without an app and a context', withoutApp, { ...withoutDelta, context: unknownContext }],
  ['with too few words read', { aso_health: null, baseline_global: null }, { report: null }],
])('what is unknown of a run %s is null, and the rest stays', async (_what, ofRun, ofReply) => {
  const run = { ...simulationReply.run, ...ofRun } as typeof simulationReply.run;
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, ...ofReply, run }) });
  const known = { id: 12, listing: answers.draft.listing };
  expect((await api.call('GET', path)).body.data).toMatchObject({ ...known, ...ofRun, ...ofReply });
});

test('texts that could not be read are null, not empty', async () => {
  const run = simulationReply.run && { ...simulationReply.run, title: undefined };
  const listing = { kw_field: '' };
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, run, listing }) });
  const { data } = (await api.call('GET', path)).body;
  const unknown = { title: null, subtitle: null, description: null };
  expect(data).toMatchObject({ title: null, listing: { ...unknown, kw_field: '' } });
});

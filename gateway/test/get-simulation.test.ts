import { AppError } from '@shelfwise/runtime/errors';
import {
  deltaBounds,
  shownDeltaBasis,
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
  const { status, body } = await api.call('GET', path);
  expect(status).toBe(200);
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
      listing: { title: 'Draft', subtitle: 'Sub', description: 'Text', kw_field: 'a,b' },
      kw_field_known: true,
      context: {
        rating: 4.4,
        rating_count: 73210,
        screenshots: 4,
        days_since_update: 14,
        age_months: 137,
        has_video: false,
        language_count: 1,
      },
      aso_health: {
        global: 60,
        coverage: 70,
        targeting: 50,
        appeal: 62,
        tier: 3,
        tier_label: 'Established',
      },
      delta: { global: -2, coverage: 0, targeting: 5, appeal: 1 },
      delta_bounds: deltaBounds,
      delta_basis: shownDeltaBasis,
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

test('bounds are null in a run without pending phrases', async () => {
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, delta_bounds: null }) });
  expect((await api.call('GET', path)).body.data.delta_bounds).toBeNull();
});

test('a context value from neither the app nor the request is null', async () => {
  const unknown = { rating: null, rating_count: null, days_since_update: null, age_months: null };
  const context = { ...unknown, screenshots: 0, has_video: null, language_count: null };
  const run = simulationReply.run && { ...simulationReply.run, app_id: null, baseline_global: null };
  api.scoring.answer({
    getSimulation: async () => ({
      ...simulationReply,
      run,
      delta: null,
      delta_basis: null,
      context,
      kw_field_known: false,
    }),
  });
  const { data } = (await api.call('GET', path)).body;
  expect(data).toMatchObject({
    app_id: null,
    baseline_global: null,
    delta: null,
    delta_basis: null,
    context,
    kw_field_known: false,
  });
});

test('texts that could not be read are null, not empty', async () => {
  const run = simulationReply.run && { ...simulationReply.run, title: undefined };
  const listing = { kw_field: '' };
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, run, listing }) });
  const { data } = (await api.call('GET', path)).body;
  const unknown = { title: null, subtitle: null, description: null };
  expect(data).toMatchObject({ title: null, listing: { ...unknown, kw_field: '' } });
});

test('a run with too few words read has neither scores nor a report', async () => {
  const run = simulationReply.run && { ...simulationReply.run, aso_health: null, baseline_global: null };
  api.scoring.answer({ getSimulation: async () => ({ ...simulationReply, run, report: null }) });
  const { data } = (await api.call('GET', path)).body;
  expect(data).toMatchObject({ report: null, aso_health: null, baseline_global: null });
});

test('a run of another account is 404', async () => {
  api.scoring.answer({
    getSimulation: async () => {
      throw new AppError('NOT_FOUND', 'There is no such run.');
    },
  });
  expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

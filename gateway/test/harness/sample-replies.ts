import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GetTopChartReply, ListChartCategoriesReply } from '@shelfwise/proto/chart/v1/chart';
import type { Complete } from '@shelfwise/proto/complete';
import type { NicheAnalysis, NicheRow } from '@shelfwise/proto/niche/v1/niche';
import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import type {
  DeltaBounds,
  GetKeywordScoresReply,
  GetSimulationReply,
  InspectKeywordReply,
  SimulateListingReply,
  SimulationRun,
} from '@shelfwise/proto/scoring/v1/scoring';
import type { AutocompleteQuery, RunAutocompleteReply } from '@shelfwise/proto/store/v1/autocomplete';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import type { CompetitorRelation, Keyword, KeywordTracking } from '@shelfwise/proto/tracking/v1/tracking';

type Replies = {
  listing: Complete<Listing>;
  aso_report: AsoReport;
  simulated: Pick<
    SimulateListingReply,
    'listing' | 'aso_health' | 'delta' | 'delta_basis' | 'words_probed'
  > & {
    delta_bounds: DeltaBounds;
  };
  simulation_run: Omit<SimulationRun, 'aso_health'>;
  simulation_context: GetSimulationReply['context'];
  inspect: InspectKeywordReply;
  keyword_scores: GetKeywordScoresReply;
  keyword_tracking: KeywordTracking;
  autocomplete: RunAutocompleteReply;
  autocomplete_query: AutocompleteQuery;
  niche_analysis: NicheAnalysis;
  niche_row: NicheRow;
  top_chart: GetTopChartReply;
  chart_categories: ListChartCategoriesReply;
  tracked_keyword: Keyword;
};

type Shown = Record<string, unknown>;
type Answers = {
  report: Shown & { fields: Shown[]; flags: Shown[] };
  keyword_scores: Shown;
  draft: Shown & { delta_basis: Shown };
  inspect: Shown;
  niche: Shown;
  usage: Shown;
};

const readText = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Successful replies of the services, with every optional value. */
const replies: Replies = JSON.parse(readText('sample-replies.json'), (_key, value) =>
  typeof value === 'string' && isTime.test(value) ? new Date(value) : value,
);
/** What the API shows of them, at noon of June 15, 2026. */
export const answers: Answers = JSON.parse(readText('sample-answers.json'));

export const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

export const {
  listing,
  aso_report: asoReport,
  inspect: inspectReply,
  keyword_scores: keywordScoresReply,
  keyword_tracking: keywordTracking,
  autocomplete: autocompleteReply,
  autocomplete_query: autocompleteQuery,
  niche_analysis: nicheAnalysis,
  niche_row: nicheRow,
  top_chart: topChartReply,
  chart_categories: chartCategoriesReply,
  tracked_keyword: trackedKeyword,
} = replies;

/** `asoReport` as in answers. */
export const shownReportWithWords = answers.report;
export const shownFlags = answers.report.flags;
export const shownReport = {
  ...answers.report,
  fields: answers.report.fields.map(({ words: _, ...field }) => field),
};
/** In answers about a run that was saved without words. */
export const shownReportOfRun = {
  ...answers.report,
  fields: answers.report.fields.map((field) => ({ ...field, words: null })),
};

/** Read an hour before the start of the test clock. */
export const trackedListing: TrackedListing = {
  id: 42,
  storefront,
  revision: 3,
  read_at: new Date('2026-06-15T11:00:00Z'),
  source: 'sample',
  listing,
};

/** `trackedListing` as in answers. */
export const shownApp = { id: 42, app_id: '281796108', title: 'Evernote', ...storefront };

const { app_id, title, description, url, icon, screenshots, developer_name, genre, version } = listing;
const { score, ratings } = listing;

/** The fields of `listing` that lists of applications and competitors show. */
export const shownListing = {
  unlisted_since: null,
  app_id,
  title,
  description,
  url,
  icon,
  screenshots,
  developer_name,
  genre,
  version,
  score,
  ratings,
};

export const competitorRelation = {
  id: 5,
  app: { id: 42, app_id, title, icon, store: 'ITUNES', read_at: trackedListing.read_at },
  competitor: {
    ...trackedListing,
    id: 43,
    listing: { ...listing, app_id: '1274495053', title: 'Rival Notes' },
  },
} satisfies CompetitorRelation;

const { aso_health: scores, ...simulated } = replies.simulated;

export const deltaBounds = simulated.delta_bounds;

export const simulateReply: SimulateListingReply = {
  ...replies.simulated,
  fields: asoReport.fields,
  scoring_version: 4,
  flags: asoReport.flags,
  words_fetched: 3,
  run_id: 12,
  is_new: true,
  notes: ['a note'],
  stale_since: null,
};

export const simulationRun: SimulationRun = { ...replies.simulation_run, aso_health: scores };

export const simulationReply: GetSimulationReply = {
  ...simulated,
  run: simulationRun,
  kw_field_known: true,
  context: replies.simulation_context,
  report: asoReport,
  has_words: false,
};

export const rankedApp = (id: string) => ({
  app_id: id,
  title: `App ${id}`,
  icon: `https://example.com/${id}.png`,
});

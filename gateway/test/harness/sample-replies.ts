import type { GetTopChartReply, ListChartCategoriesReply } from '@shelfwise/proto/chart/v1/chart';
import type { Complete } from '@shelfwise/proto/complete';
import type { NicheAnalysis, NicheRow } from '@shelfwise/proto/niche/v1/niche';
import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import type {
  DeltaBasis,
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

/** Successful replies of the services, with every optional value. */

export const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

export const listing: Complete<Listing> = {
  app_id: '281796108',
  bundle_id: 'com.example.notes',
  title: 'Evernote',
  description: 'Notes',
  url: 'https://example.com/app',
  icon: 'https://example.com/icon.png',
  unreadable: [],
  screenshots: ['https://example.com/1.png'],
  developer_name: 'Evernote',
  genre: 'Productivity',
  version: '10.1',
  score: 4.4,
  ratings: 73210,
  released_at: new Date('2015-01-01T00:00:00Z'),
  updated_at: new Date('2026-06-01T00:00:00Z'),
  subtitle: 'Notes and lists',
  price: 0,
  currency: 'USD',
  installs: null,
  languages: ['en'],
  has_video: false,
  genre_key: '6007',
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

/** The fields of `listing` that lists of applications and competitors show. */
export const shownListing = {
  unlisted_since: null,
  app_id: listing.app_id,
  title: listing.title,
  description: listing.description,
  url: listing.url,
  icon: listing.icon,
  screenshots: listing.screenshots,
  developer_name: listing.developer_name,
  genre: listing.genre,
  version: listing.version,
  score: listing.score,
  ratings: listing.ratings,
};

export const asoReport: AsoReport = {
  global: 62,
  tier: 2,
  computed_at: new Date('2026-06-15T03:00:00Z'),
  axes: [
    { key: 'coverage', score: 71 },
    { key: 'targeting', score: 55 },
    { key: 'appeal', score: 61 },
  ],
  fields: [
    {
      key: 'title',
      label: 'Name',
      hint: 'Six characters are left.',
      score: 74,
      state: 'scored',
      length: 24,
      limit: 30,
      text: 'Evernote',
      truncated: false,
      words: [
        {
          name: 'notes',
          traffic: 66,
          difficulty: 71,
          occurrences: 2,
          relevance: 0.85,
          relevance_parts: { own: 0.85, near: 0.3, said: 0.5, kind: 0.2 },
          rank: 2,
          gain: 1,
          counts: 66,
          status: 'earning',
          is_partial: true,
          scored_at: new Date('2026-06-14T06:00:00Z'),
        },
        {
          name: 'evernote',
          traffic: null,
          difficulty: null,
          occurrences: null,
          relevance: null,
          relevance_parts: null,
          gain: 1,
          status: 'pending',
          is_partial: false,
          scored_at: null,
        },
      ],
    },
    {
      key: 'kw_field',
      label: 'Keywords',
      hint: null,
      score: null,
      state: 'missing',
      length: null,
      limit: 100,
      text: null,
      truncated: false,
      words: [],
    },
  ],
  targeting: {
    assessable: true,
    keywords: [
      {
        name: 'notes',
        field: 'title',
        traffic: 66,
        difficulty: 71,
        relevance: 0.85,
        relevance_parts: { own: 0.85, near: 0.3, said: 0.5, kind: 0.2 },
        rank: 2,
        gain: 1,
        listing_gain: 1,
        credit: 1,
        won: 66,
        lost: 0,
        own_brand: false,
        verdict: 'reachable',
        reason: 'held',
        is_partial: true,
        scored_at: new Date('2026-06-14T06:00:00Z'),
      },
      {
        name: 'lists',
        field: 'subtitle',
        traffic: 30,
        difficulty: null,
        relevance_parts: null,
        gain: 1,
        own_brand: false,
        verdict: '',
        is_partial: false,
        scored_at: null,
      },
    ],
    won: 66,
    lost: 0,
    partial: 0,
    ungraded: 1,
    unsearched: 1,
    unsearched_words: ['evernote'],
  },
  appeal: { rating: 4.4, screenshots: 4, screenshots_target: 6, days_since_update: 14 },
  flags: [
    {
      code: 'LISTING_STALE',
      axis: 'appeal',
      severity: 'warning',
      title: 'The listing is stale',
      impact: 'Stores favor apps that are kept up to date.',
      fix: 'Release an update.',
      evidence: [
        { name: 'days_since_update', value: { $case: 'number', value: 120 } },
        { name: 'version', value: { $case: 'text', value: '10.1' } },
        { name: 'fields', value: { $case: 'texts', value: { texts: ['title', 'subtitle'] } } },
        {
          name: 'words_to_add',
          value: {
            $case: 'terms',
            value: {
              terms: [
                {
                  name: 'reminders',
                  traffic: 38,
                  difficulty: 50,
                  relevance: 0.46,
                  scored_at: new Date('2026-06-14T06:00:00Z'),
                  source: 'description',
                  rank: 12,
                  field: 'subtitle',
                },
                { name: 'memo', scored_at: null, source: 'titles', field: 'title' },
              ],
            },
          },
        },
      ],
    },
    {
      code: 'NO_VIDEO',
      axis: 'appeal',
      severity: 'info',
      title: 'There is no video',
      impact: 'A video shows what words cannot.',
      fix: 'Add one.',
      evidence: [],
    },
  ],
  scoring_version: 1,
};

const [titleEntry, keywordsEntry] = asoReport.fields;
const { words: titleWords, ...title } = titleEntry as (typeof asoReport.fields)[number];
const { words: keywordsWords, ...keywords } = keywordsEntry as (typeof asoReport.fields)[number];
const [stale, noVideo] = asoReport.flags;

/** The flags of `asoReport` as in answers. */
export const shownFlags = [
  {
    ...stale,
    evidence: {
      days_since_update: 120,
      version: '10.1',
      fields: ['title', 'subtitle'],
      words_to_add: [
        {
          name: 'reminders',
          traffic: 38,
          difficulty: 50,
          relevance: 0.46,
          scored_at: '2026-06-14T00:00:00.000Z',
          source: 'description',
          rank: 12,
          field: 'subtitle',
        },
        {
          name: 'memo',
          traffic: null,
          difficulty: null,
          relevance: null,
          scored_at: null,
          source: 'titles',
          rank: null,
          field: 'title',
        },
      ],
    },
  },
  { ...noVideo, evidence: null },
];

/** `asoReport` as in answers, without the words of its fields. */
export const shownReport = {
  global: 62,
  tier: 2,
  tier_label: 'Growing',
  computed_at: '2026-06-15T03:00:00.000Z',
  axes: asoReport.axes,
  fields: [title, keywords],
  targeting: {
    assessable: true,
    keywords: [
      {
        name: 'notes',
        field: 'title',
        traffic: 66,
        difficulty: 71,
        relevance: 0.85,
        relevance_parts: { own: 0.85, near: 0.3, said: 0.5, kind: 0.2 },
        rank: 2,
        gain: 1,
        listing_gain: 1,
        credit: 1,
        won: 66,
        lost: 0,
        own_brand: false,
        same_as: null,
        verdict: 'reachable',
        reason: 'held',
        is_partial: true,
        scored_at: '2026-06-14T00:00:00.000Z',
      },
    ],
    reason: null,
    won: 66,
    lost: 0,
    partial: 0,
    ungraded: 1,
    unsearched: 1,
    unsearched_words: ['evernote'],
  },
  appeal: {
    rating: { value: 4.4 },
    screenshots: { count: 4, target: 6 },
    freshness: { days_since_update: 14 },
  },
  flags: shownFlags,
};

export const shownReportWithWords = {
  ...shownReport,
  fields: [
    {
      ...title,
      words: titleWords.map(({ rank = null, counts = null, ...word }) => ({
        ...word,
        rank,
        counts,
        scored_at: word.scored_at && '2026-06-14T00:00:00.000Z',
      })),
    },
    { ...keywords, words: keywordsWords },
  ],
};

/** `asoReport` as in answers about a run that was saved without words. */
export const shownReportOfRun = {
  ...shownReport,
  fields: shownReport.fields.map((field) => ({ ...field, words: null })),
};

const scoredDraft = { title: 'Draft', subtitle: 'Sub', description: 'Text', kw_field: 'a,b' };
const scores = { global: 60, coverage: 70, targeting: 50, appeal: 62, tier: 3 };
const delta = { global: -2, coverage: 0, targeting: 5, appeal: 1 };
const deltaBasis: DeltaBasis = {
  kw_field: 'empty',
  aso_health: { global: 62, coverage: 70, targeting: 45, appeal: 61, tier: 2 },
};

/** `deltaBasis` as in answers. */
export const shownDeltaBasis = {
  ...deltaBasis,
  aso_health: { ...deltaBasis.aso_health, tier_label: 'Growing' },
};

export const deltaBounds = {
  global: { min: -4, max: 3 },
  coverage: { min: 0, max: 6 },
  targeting: { min: -1, max: 9 },
};

export const simulateReply: SimulateListingReply = {
  listing: scoredDraft,
  aso_health: scores,
  delta,
  delta_bounds: deltaBounds,
  delta_basis: deltaBasis,
  fields: asoReport.fields,
  scoring_version: 4,
  flags: asoReport.flags,
  words_probed: 14,
  words_fetched: 3,
  run_id: 12,
  is_new: true,
  notes: ['a note'],
  stale_since: null,
};

export const simulationRun: SimulationRun = {
  id: 12,
  app_id: 42,
  storefront,
  title: 'Draft',
  aso_health: scores,
  baseline_global: 62,
  edited: true,
  runs_count: 3,
  last_run_at: new Date('2026-06-14T08:00:00Z'),
  delta_global: 5,
  scoring_version: 4,
};

export const simulationReply: GetSimulationReply = {
  run: simulationRun,
  listing: scoredDraft,
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
  delta,
  delta_bounds: deltaBounds,
  delta_basis: deltaBasis,
  words_probed: 14,
  report: asoReport,
  has_words: false,
};

export const inspectReply: InspectKeywordReply = {
  keyword: 'habit tracker',
  difficulty_score: 41,
  traffic_score: 58,
  is_partial: true,
  kei: { score: 47.3, level: 'good' },
  ranking: [
    {
      rank: 1,
      app_id: '1',
      title: 'One',
      icon: 'https://example.com/1.png',
      genre: 'Health',
      rating: 4.5,
      ratings: 120,
    },
    {
      rank: 2,
      app_id: '2',
      title: 'Two',
      icon: 'https://example.com/2.png',
      genre: null,
      rating: null,
      ratings: null,
    },
  ],
  related_keywords: ['daily habits', 'routine'],
  is_saved: true,
  is_navigational: false,
  is_searched: true,
  scored_at: new Date('2026-06-15T06:00:00Z'),
  rank_date: '2026-06-15',
  result_count: 87,
  related: [
    {
      keyword: 'daily habits',
      traffic_score: 52,
      difficulty_score: 40,
      scored_at: new Date('2026-06-12T06:00:00Z'),
    },
    { keyword: 'routine', traffic_score: null, difficulty_score: null, scored_at: null },
  ],
};

export const keywordScoresReply: GetKeywordScoresReply = {
  breakdown: {
    storefront,
    keyword: 'habit tracker',
    scoring_version: 4,
    scored_at: new Date('2026-06-15T06:00:00Z'),
    difficulty: 41,
    traffic: 58,
    kei: 51.7,
    kei_level: 'good',
    is_navigational: false,
    search_status: 'searched',
    difficulty_components: [
      {
        name: 'A',
        meaning: 'How many ratings the top 10 have.',
        weight: 0.35,
        value: 0.5,
        points: 17.5,
        max_points: 35,
        sentence: 'How many ratings the top 10 have: 0.50 of 1, which adds 17.5 of at most 35.0 points.',
      },
    ],
    traffic_components: [
      {
        name: 'suggest',
        meaning: 'How early the store suggests it.',
        weight: 0,
        value: null,
        points: null,
        max_points: 0,
        sentence: 'How early the store suggests it: not known, so the other parts count more.',
      },
    ],
    intermediate_values: [{ name: 'raw', value: 41.2 }],
    inputs: [
      {
        name: 'result page',
        read_at: new Date('2026-06-15T05:59:00Z'),
        source: 'app-store',
        note: '87 results on 2026-06-15',
      },
      { name: 'suggestions', read_at: null, source: '', note: 'not read' },
    ],
    apps: [
      {
        rank: 1,
        app_id: '281796108',
        title: 'Evernote',
        ratings: 72_650,
        rating: 4.4,
        installs: null,
        updated_at: new Date('2026-06-01T00:00:00Z'),
        evidence: 0,
      },
    ],
    probes: [
      { prefix: 'hab', index: null, size: 10 },
      { prefix: 'habit', index: 1, size: 10 },
    ],
    is_partial: true,
    notes: ['With 3 results the difficulty is at most 30.'],
    is_searched: true,
    rank_date: '2026-06-15',
  },
  history: [
    { date: '2026-06-14', difficulty: 40, traffic: null, kei: null, is_partial: false, scoring_version: 2 },
  ],
};

/** `keywordScoresReply` as the API shows it at noon of June 15, 2026. */
export const shownKeywordScores = {
  keyword: 'habit tracker',
  ...storefront,
  difficulty_score: 41,
  traffic_score: 58,
  is_partial: true,
  kei: { score: 51.7, level: 'good', reason: null },
  is_navigational: false,
  is_searched: true,
  scoring_version: 4,
  scored_at: '2026-06-15T06:00:00.000Z',
  rank_date: '2026-06-15',
  stale: false,
  difficulty_parts: keywordScoresReply.breakdown?.difficulty_components,
  traffic_parts: keywordScoresReply.breakdown?.traffic_components,
  notes: ['With 3 results the difficulty is at most 30.'],
  values: { raw: 41.2 },
  inputs: [
    {
      name: 'result page',
      read_at: '2026-06-15T05:59:00.000Z',
      age_days: 0,
      source: 'app-store',
      note: '87 results on 2026-06-15',
    },
    { name: 'suggestions', read_at: null, age_days: null, source: null, note: 'not read' },
  ],
  apps: [
    {
      rank: 1,
      app_id: '281796108',
      title: 'Evernote',
      ratings: 72_650,
      rating: 4.4,
      installs: null,
      updated_at: '2026-06-01T00:00:00.000Z',
      evidence: 0,
    },
  ],
  suggestions: [
    { prefix: 'hab', place: null, size: 10 },
    { prefix: 'habit', place: 2, size: 10 },
  ],
  history: [
    {
      date: '2026-06-14',
      difficulty_score: 40,
      traffic_score: null,
      kei_score: null,
      is_partial: false,
      scoring_version: 2,
    },
  ],
};

export const keywordTracking: KeywordTracking = {
  app_id: 42,
  app_title: 'Evernote',
  current_rank: 12,
  is_favorite: true,
  tracked_since: new Date('2026-06-01T08:00:00Z'),
  rank_date: '2026-06-15',
};

export const competitorRelation = {
  id: 5,
  app: {
    id: 42,
    app_id: '281796108',
    title: 'Evernote',
    icon: 'https://example.com/icon.png',
    store: 'ITUNES',
    read_at: trackedListing.read_at,
  },
  competitor: {
    ...trackedListing,
    id: 43,
    listing: { ...listing, app_id: '1274495053', title: 'Rival Notes' },
  },
} satisfies CompetitorRelation;

export const autocompleteReply: RunAutocompleteReply = {
  normalized_prefix: 'habit',
  suggestions: ['habit tracker', 'habit builder'],
  is_saved: true,
};

export const autocompleteQuery: AutocompleteQuery = {
  id: 4,
  prefix: 'habit',
  storefront,
  suggestion_count: 2,
  last_queried_at: new Date('2026-06-14T08:00:00Z'),
};

export const nicheAnalysis: NicheAnalysis = {
  topic: 'habit tracker',
  storefront,
  total_keywords: 2,
  analyzed_at: new Date('2026-06-15T11:58:00Z'),
  clusters: [
    {
      name: 'Habit tracker',
      app_concept: 'A habit tracker for daily routines',
      intent_type: 'utility',
      opportunity_score: 47.2,
      keywords: [
        {
          name: 'habit tracker',
          traffic_score: 68,
          difficulty_score: 60,
          scored_at: new Date('2026-06-15T11:57:00Z'),
        },
        { name: 'daily habits', traffic_score: 51, difficulty_score: 0, scored_at: null },
      ],
    },
  ],
  candidates: 120,
  left_out: 7,
  unanswered: 2,
  oldest_read_at: new Date('2026-06-14T08:00:00Z'),
  source: 'sample',
  scoring_version: 1,
  no_clusters_reason: null,
  is_topic_page_unread: false,
};

export const nicheRow: NicheRow = {
  id: 2,
  topic: 'habit tracker',
  storefront,
  clusters_count: 1,
  keywords_count: 2,
  top_opportunity_score: 47.2,
  created_at: new Date('2026-06-15T11:58:00Z'),
  analyzed_at: new Date('2026-06-15T11:50:00Z'),
};

export const topChartReply: GetTopChartReply = {
  snapshot_date: '2026-06-15',
  read_at: new Date('2026-06-15T09:30:00Z'),
  source: 'sample',
  total_count: 100,
  rows: [
    {
      rank: 1,
      app_id: '281796108',
      ios_id: 281796108,
      title: 'Evernote',
      developer: 'Evernote',
      icon: 'https://example.com/icon.png',
      rating: 4.4,
      price: 0,
      currency: 'USD',
      delta: -2,
      is_new: false,
    },
  ],
};

export const chartCategoriesReply: ListChartCategoriesReply = {
  stores: [
    {
      store: 'ITUNES',
      categories: [
        { key: 'OVERALL', label: 'Overall' },
        { key: '6007', label: 'Productivity' },
      ],
    },
    { store: 'GPLAY', categories: [{ key: 'OVERALL', label: 'Overall' }] },
  ],
};

export const rankedApp = (id: string) => ({
  app_id: id,
  title: `App ${id}`,
  icon: `https://example.com/${id}.png`,
});
export const trackedKeyword: Keyword = {
  keyword_id: 7,
  keyword: 'habit tracker',
  store: 'ITUNES',
  country: 'US',
  lang: 'en-US',
  difficulty_score: 40,
  traffic_score: 60,
  is_partial: true,
  app_id: 42,
  app_title: 'Evernote',
  current_rank: 2,
  ahead: rankedApp('1'),
  behind: rankedApp('3'),
  ranking: [1, 2, 3, 4, 5].map((rank) => ({ ...rankedApp(String(rank)), rank, ratings: 1200 })),
  is_favorite: true,
  tracked_since: new Date('2026-06-01T08:00:00Z'),
  snapshot_depth: 100,
  snapshot_date: '2026-06-15',
  scored_at: new Date('2026-06-15T06:00:00Z'),
};

/** An endpoint of the API that a command calls. */
export type Endpoint = {
  method: 'GET' | 'POST';
  /** with placeholders: /api/v1/applications/{id} */
  path: string;
  /** The API answers within this time. */
  deadlineMs: number;
  hasCsv: boolean;
  /** Sending it again changes nothing more, although it is no GET. */
  isRepeatable?: true;
};

/** By their ids in the OpenAPI document. A test compares them with the gateway. */
export const endpoints = {
  listApplications: { method: 'GET', path: '/api/v1/applications', deadlineMs: 5000, hasCsv: true },
  trackApplication: { method: 'POST', path: '/api/v1/applications', deadlineMs: 35_000, hasCsv: false },
  listKeywords: { method: 'GET', path: '/api/v1/keywords', deadlineMs: 5000, hasCsv: true },
  // A keyword that is tracked already is an error of that keyword alone.
  trackKeywords: {
    method: 'POST',
    path: '/api/v1/keywords',
    deadlineMs: 60_000,
    hasCsv: false,
    isRepeatable: true,
  },
  createJob: { method: 'POST', path: '/api/v1/jobs', deadlineMs: 5000, hasCsv: false },
  listJobs: { method: 'GET', path: '/api/v1/jobs', deadlineMs: 5000, hasCsv: true },
  getJob: { method: 'GET', path: '/api/v1/jobs/{id}', deadlineMs: 5000, hasCsv: true },
  listRankHistories: {
    method: 'GET',
    path: '/api/v1/applications/{id}/ranks/history',
    deadlineMs: 5000,
    hasCsv: true,
  },
  getAsoHealth: {
    method: 'GET',
    path: '/api/v1/applications/{id}/aso-health',
    deadlineMs: 5000,
    hasCsv: false,
  },
  simulateMetadata: { method: 'POST', path: '/api/v1/metadata/simulate', deadlineMs: 35_000, hasCsv: false },
  checkMetadata: { method: 'POST', path: '/api/v1/metadata/check', deadlineMs: 5000, hasCsv: false },
  analyzeNiche: { method: 'GET', path: '/api/v1/niches', deadlineMs: 300_000, hasCsv: false },
  getTopChart: { method: 'GET', path: '/api/v1/top-charts', deadlineMs: 35_000, hasCsv: true },
  listChartCategories: {
    method: 'GET',
    path: '/api/v1/top-charts/categories',
    deadlineMs: 5000,
    hasCsv: false,
  },
  listKeywordGap: {
    method: 'GET',
    path: '/api/v1/applications/{id}/keyword-gap',
    deadlineMs: 5000,
    hasCsv: true,
  },
  listAlerts: { method: 'GET', path: '/api/v1/alerts', deadlineMs: 5000, hasCsv: true },
} as const satisfies Record<string, Endpoint>;

/** The sample store's answer. */
export const getAccountUsageExample = {
  data: {
    plan: 'unlimited',
    usage: {
      apps: 1,
      keywords: 2,
      competitors: 0,
      keyword_inspections: 0,
      niche_analyses: 1,
      autocomplete_queries: 1,
      metadata_simulations: 1,
      api_requests: 10,
    },
    limits: {
      apps: null,
      keywords: null,
      competitors: null,
      keyword_inspections_per_month: null,
      niche_analyses_per_month: null,
      autocomplete_queries_per_month: null,
      metadata_simulations_per_month: null,
      api_requests_per_month: 10000,
      historical_data_days: null,
    },
    export_csv: false,
    export_pdf: false,
    ai_inspections: false,
  },
};

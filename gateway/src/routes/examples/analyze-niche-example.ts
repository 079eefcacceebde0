/** As the sample store answers it, lists cut short. */
export const analyzeNicheExample = {
  data: {
    topic: 'habit tracker',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
    totalKeywords: 18,
    analyzedAt: '2026-11-21T20:39:24.000Z',
    clusters: [
      {
        name: 'Habit tracker',
        appConcept: 'A habit tracker for daily routines',
        intentType: 'utility',
        opportunityScore: 47.2,
        keywords: [
          {
            name: 'habit tracker',
            trafficScore: 68,
            difficultyScore: 60,
          },
          {
            name: 'daily habits',
            trafficScore: 51,
            difficultyScore: 48,
          },
        ],
      },
    ],
  },
  meta: {
    cached: false,
    candidates: 42,
    left_out: 0,
  },
};

/** The sample store's answer, with shortened lists. */
export const analyzeNicheExample = {
  truncation: 'Shortened to 3 of 19 keywords of the first cluster.',
  data: {
    topic: 'habit tracker',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
    totalKeywords: 22,
    analyzedAt: '2026-11-21T21:55:30.094Z',
    clusters: [
      {
        name: 'habit tracker',
        appConcept:
          'A Productivity app for “habit tracker”, “habit builder” and 17 more searches: no clear gap. The strongest of the first 5 apps for “habit tracker” has 72,650 ratings; the best way in is “habit tracker” with traffic 68 at difficulty 60.',
        intentType: 'utility',
        opportunityScore: 42.2,
        keywords: [
          { name: 'habit tracker', trafficScore: 68, difficultyScore: 60 },
          { name: 'habit builder', trafficScore: 46, difficultyScore: 43 },
          { name: 'habit', trafficScore: 38, difficultyScore: 63 },
        ],
      },
      {
        name: 'routine planner',
        appConcept:
          'A Productivity app for “routine planner” and “daily routine”: no clear gap. The strongest of the first 5 apps for “routine planner” has 72,650 ratings; the best way in is “routine planner” with traffic 52 at difficulty 43.',
        intentType: 'utility',
        opportunityScore: 25.2,
        keywords: [
          { name: 'routine planner', trafficScore: 52, difficultyScore: 43 },
          { name: 'daily routine', trafficScore: 47, difficultyScore: 46 },
        ],
      },
      {
        name: 'habit tracker calendar',
        appConcept: 'A Productivity app for “habit tracker calendar”: none of the first 10 titles names it.',
        intentType: 'utility',
        opportunityScore: 10,
        keywords: [{ name: 'habit tracker calendar', trafficScore: 30, difficultyScore: 46 }],
      },
    ],
  },
  meta: { cached: false, candidates: 23, left_out: 0, unanswered: 0 },
};

/** As the sample store answers it, lists cut short. */
export const analyzeNicheExample = {
  data: {
    topic: 'habit tracker',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
    totalKeywords: 57,
    analyzedAt: '2026-11-21T20:55:25.067Z',
    clusters: [
      {
        name: 'habit tracker',
        appConcept:
          'A Productivity app for “habit tracker”, “habits” and 18 more searches: no clear gap, half of the first 10 apps have 1,636 ratings or more; the best way in is “habits” with traffic 63 at difficulty 52.',
        intentType: 'utility',
        opportunityScore: 47.9,
        keywords: [
          {
            name: 'habit tracker',
            trafficScore: 68,
            difficultyScore: 60,
          },
          {
            name: 'habits',
            trafficScore: 63,
            difficultyScore: 52,
          },
          {
            name: 'daily routine',
            trafficScore: 47,
            difficultyScore: 46,
          },
        ],
      },
      {
        name: 'weekly planner',
        appConcept:
          'A Productivity app for “weekly planner”, “calendar” and 3 more searches: there is room among the leaders, half of the first 10 apps have 293 ratings or fewer.',
        intentType: 'utility',
        opportunityScore: 38,
        keywords: [
          {
            name: 'weekly planner',
            trafficScore: 54,
            difficultyScore: 48,
          },
          {
            name: 'calendar',
            trafficScore: 52,
            difficultyScore: 46,
          },
          {
            name: 'agenda',
            trafficScore: 48,
            difficultyScore: 46,
          },
        ],
      },
    ],
  },
  meta: {
    cached: false,
    candidates: 57,
    left_out: 0,
  },
};

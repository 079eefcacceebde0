/** The sample store's answer, with shortened lists. */
export const inspectKeywordExample = {
  truncation: 'Shortened to 3 of 20 apps and 3 of 11 related keywords.',
  data: {
    keyword: 'habit tracker',
    difficulty_score: 60,
    traffic_score: 68,
    kei: {
      score: 36.4,
      level: 'fair',
    },
    ranking: [
      {
        rank: 1,
        app_id: '9048598736',
        title: 'Habit Tracker - Ritualwick',
        icon: 'https://sample.example/icons/ritualwick.png',
        genre: 'Productivity',
        rating: 4.65,
      },
      {
        rank: 2,
        app_id: '9005997251',
        title: 'Habitember - Habit Tracker',
        icon: 'https://sample.example/icons/habitember.png',
        genre: 'Productivity',
        rating: 4.5,
      },
      {
        rank: 3,
        app_id: '9082344945',
        title: 'Sprout Lantern: Habit Tracker',
        icon: 'https://sample.example/icons/sproutlantern.png',
        genre: 'Productivity',
        rating: 4.8,
      },
    ],
    related_keywords: ['tracker', 'habit', 'habit tracker adhd'],
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
    is_tracked: true,
    user_tracking: [
      {
        app_id: 1,
        app_title: 'Habitember - Habit Tracker',
        current_rank: 2,
        is_favorite: true,
        tracked_since: '2026-11-21T20:55:10.729Z',
      },
    ],
  },
};

/** As the sample store answers it, lists cut short. */
export const listKeywordsExample = {
  data: [
    {
      keyword_id: 1,
      keyword: 'habit tracker',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      difficulty_score: 60,
      traffic_score: 68,
      app_id: 1,
      app_title: 'Habitember - Habit Tracker',
      current_rank: 2,
      ahead: {
        app_id: '9048598736',
        title: 'Habit Tracker - Ritualwick',
        icon: 'https://sample.example/icons/ritualwick.png',
      },
      behind: {
        app_id: '9082344945',
        title: 'Sprout Lantern: Habit Tracker',
        icon: 'https://sample.example/icons/sproutlantern.png',
      },
      ranking: [
        {
          app_id: '9048598736',
          title: 'Habit Tracker - Ritualwick',
          icon: 'https://sample.example/icons/ritualwick.png',
          rank: 1,
        },
        {
          app_id: '9005997251',
          title: 'Habitember - Habit Tracker',
          icon: 'https://sample.example/icons/habitember.png',
          rank: 2,
        },
        {
          app_id: '9082344945',
          title: 'Sprout Lantern: Habit Tracker',
          icon: 'https://sample.example/icons/sproutlantern.png',
          rank: 3,
        },
      ],
      is_favorite: true,
      tracked_since: '2026-11-21T20:55:10.729Z',
    },
    {
      keyword_id: 2,
      keyword: 'daily planner',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      difficulty_score: 64,
      traffic_score: 69,
      app_id: 1,
      app_title: 'Habitember - Habit Tracker',
      current_rank: 11,
      ahead: {
        app_id: '9069932447',
        title: 'Calendarcove: Daily Planner',
        icon: 'https://sample.example/icons/calendarcove.png',
      },
      behind: {
        app_id: '9006560514',
        title: 'Nynali: Plant Identifier',
        icon: 'https://sample.example/icons/nynali.png',
      },
      ranking: [
        {
          app_id: '9065571182',
          title: 'Diary Barrow Daily Planner',
          icon: 'https://sample.example/icons/diarybarrow.png',
          rank: 1,
        },
        {
          app_id: '9094725615',
          title: 'Selludel - Daily Planner',
          icon: 'https://sample.example/icons/selludel.png',
          rank: 2,
        },
        {
          app_id: '9073491584',
          title: 'Weekgrove: Schedule Planner',
          icon: 'https://sample.example/icons/weekgrove.png',
          rank: 3,
        },
      ],
      is_favorite: false,
      tracked_since: '2026-11-21T20:55:10.730Z',
    },
  ],
  meta: {
    total: 2,
    page: 1,
    per_page: 200,
    total_pages: 1,
    has_more: false,
    snapshot_depths: [
      {
        keyword_id: 1,
        depth: 51,
      },
    ],
  },
};

/** As the sample store answers it, lists cut short. */
export const listCompetitorsExample = {
  data: [
    {
      id: 1,
      app: {
        id: 1,
        app_id: '9005997251',
        title: 'Habitember - Habit Tracker',
        icon: 'https://sample.example/icons/habitember.png',
        store: 'ITUNES',
      },
      competitor: {
        id: 2,
        app_id: '9048598736',
        title: 'Habit Tracker - Ritualwick',
        description:
          'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nHIGHLIGHTS\n- Tick off your habits and watch the streak grow, day after day.\n- Plan habits for certain days, several times a day or a few times a week.\n- Syncs between your phone and tablet, so you can pick up where you left off.\n- No account is needed to get started.\n- Share with family or friends and decide who may see what.\n- Dark mode and large text are supported on every screen.\n\nPeople find Habitember when they look for daily routine, goal tracker or routine planner.\n\nThe basic version is free. An optional subscription unlocks everything and can be cancelled at any time.',
        store: 'ITUNES',
        url: 'https://sample.example/app-store/us/app/id9048598736',
        icon: 'https://sample.example/icons/ritualwick.png',
        screenshots: [
          'https://sample.example/screenshots/itunes/habitember/51-1.png',
          'https://sample.example/screenshots/itunes/habitember/51-2.png',
          'https://sample.example/screenshots/itunes/habitember/51-3.png',
        ],
        developer_name: 'Ritualwick GmbH',
        genre: 'Productivity',
        version: '8.2.0',
        score: 4.65,
        ratings: 184300,
      },
      app_score: 61.8,
      competitor_score: 74.2,
    },
  ],
  meta: {
    total: 1,
  },
};

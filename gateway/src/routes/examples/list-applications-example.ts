/** The sample store's answer. */
export const listApplicationsExample = {
  data: [
    {
      id: 1,
      app_id: '9005997251',
      title: 'Habitember - Habit Tracker',
      description:
        'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nHIGHLIGHTS\n- Tick off your habits and watch the streak grow, day after day.\n- Plan habits for certain days, several times a day or a few times a week.\n- Syncs between your phone and tablet, so you can pick up where you left off.\n- No account is needed to get started.\n- Share with family or friends and decide who may see what.\n- Dark mode and large text are supported on every screen.\n\nPeople find Habitember when they look for daily routine, goal tracker or routine planner.\n\nThe basic version is free. An optional subscription unlocks everything and can be cancelled at any time.',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      url: 'https://sample.example/app-store/us/app/id9005997251',
      icon: 'https://sample.example/icons/habitember.png',
      screenshots: [
        'https://sample.example/screenshots/itunes/habitember/51-1.png',
        'https://sample.example/screenshots/itunes/habitember/51-2.png',
        'https://sample.example/screenshots/itunes/habitember/51-3.png',
        'https://sample.example/screenshots/itunes/habitember/51-4.png',
      ],
      developer_name: 'Britibo Software LLC',
      genre: 'Productivity',
      version: '23.5.1',
      score: 4.5,
      ratings: 72650,
      keyword_count: 2,
      aso_health: {
        global: 72,
        coverage: 89,
        targeting: 44,
        appeal: 94,
        tier: 2,
        tier_label: 'Growing',
        computed_at: '2026-11-21T20:55:13.830Z',
      },
    },
  ],
  meta: {
    total: 1,
  },
};

/** The sample store's answer. */
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
          'Looking for a habit tracker that stays out of your way? Ritualwick does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nINSIDE THE APP\n• Start with a ready-made morning routine and change it step by step.\n• Plan habits for certain days, several times a day or a few times a week.\n• Your data belongs to you: export it whenever you like, delete it with one tap.\n• Syncs between your phone and tablet, so you can pick up where you left off.\n• Dark mode and large text are supported on every screen.\n• Works offline: everything you need stays on your device.\n• Widgets for the home screen show what matters without opening the app.\n\nRitualwick respects your privacy: we collect nothing that the app does not need to work.',
        url: 'https://sample.example/app-store/us/app/id9048598736',
        icon: 'https://sample.example/icons/ritualwick.png',
        screenshots: ['https://sample.example/screenshots/itunes/ritualwick/9-1.png'],
        developer_name: 'Harviry Studio',
        genre: 'Productivity',
        version: '5.11',
        score: 4.65,
        ratings: 29090,
        store: 'ITUNES',
      },
      app_score: 62.4,
      competitor_score: 45.8,
    },
  ],
  meta: {
    total: 1,
  },
};

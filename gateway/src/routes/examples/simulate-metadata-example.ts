import { app, draft, draftDelta, draftScores, fewScreenshots, keywordsFieldUnknown } from './sample-app.ts';

/** The sample store's answer. */
export const simulateMetadataExample = {
  body: {
    app_id: 1,
    subtitle: 'Routine Planner: Goals & Mood',
  },
  data: {
    app,
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
    listing: draft,
    aso_health: draftScores,
    delta: draftDelta,
    flags: [fewScreenshots, keywordsFieldUnknown],
    words_probed: 9,
    words_fetched: 2,
    saved: {
      id: 1,
      is_new: true,
    },
    notes: [],
  },
};

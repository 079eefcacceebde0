import {
  app,
  appeal,
  descriptionField,
  fewScreenshots,
  keywordsField,
  keywordsFieldUnknown,
  targeting,
  titleField,
} from './sample-app.ts';

/** The sample store's answer, with shortened lists. */
export const getAsoHealthExample = {
  truncation: 'Shortened to 3 of 7 targeted terms.',
  data: {
    app,
    report: {
      global: 72,
      tier: 2,
      tier_label: 'Growing',
      computed_at: '2026-11-21T20:55:13.830Z',
      axes: [
        {
          key: 'coverage',
          score: 89,
        },
        {
          key: 'targeting',
          score: 44,
        },
        {
          key: 'appeal',
          score: 94,
        },
      ],
      fields: [
        titleField,
        {
          key: 'subtitle',
          label: 'Subtitle',
          hint: 'Room for 15 more characters.',
          score: 78,
          state: 'scored',
          length: 15,
          limit: 30,
          text: 'Routine Planner',
          truncated: false,
        },
        keywordsField,
        descriptionField,
      ],
      targeting,
      appeal,
      flags: [
        {
          code: 'SUBTITLE_UNDERUSED',
          axis: 'coverage',
          severity: 'warning',
          title: 'The subtitle leaves much of its room unused',
          impact: 'Free characters are room for searched words that could bring visitors.',
          fix: 'Add searched words that the name does not carry yet.',
          evidence: {
            length: 15,
            limit: 30,
          },
        },
        fewScreenshots,
        keywordsFieldUnknown,
      ],
    },
    timeline: [],
  },
};

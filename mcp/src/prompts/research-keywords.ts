import type { Prompt } from './prompt.ts';

export const researchKeywords: Prompt = {
  name: 'research_keywords',
  title: 'Research keywords for an app',
  description: 'Finds keywords worth tracking for an app or an idea, with figures and reasons.',
  arguments: {
    subject: 'A tracked app (its title or id), or an idea such as "habit tracker".',
    market: 'Store, country and language, such as ITUNES US en-US. Default: that of the app.',
  },
  required: ['subject'],
  write: ({ subject, market }) => `Research keywords for: ${subject}${market ? ` (market: ${market})` : ''}.

1. Call list_applications to see whether it is a tracked app, and get_account_usage to see how many API requests, niche analyses and inspections are left. If neither the market above nor a tracked app says store, country and language, ask for them. If it is a tracked app, read its audit (get_aso_health) and its keywords (list_keywords).
2. Find candidates: run_niche_analysis for the topic, and run_autocomplete for two or three beginnings of it.
3. The niches already have traffic and difficulty of their keywords. Choose the three to five most promising candidates and inspect them with inspect_keyword, at once. Look at who ranks: can an app like this one be among them?
4. Show a table: keyword, traffic, difficulty, KEI, who ranks, and one of "take now", "build towards", "leave". Say which figures are null (not measured) instead of guessing.
5. Recommend at most ten keywords to track, and one niche with its reason. Ask before you call track_keywords.`,
};

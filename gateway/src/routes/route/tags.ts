/** The groups of the document's operations, in the order in which /docs shows them. */
export const tags = [
  { name: 'Account', description: 'Plan, limits and usage of the account.' },
  { name: 'Applications', description: 'Tracked applications and their visibility scores.' },
  { name: 'ASO Health', description: 'The audit of an application’s store listing.' },
  { name: 'Metadata', description: 'Check, score and compare drafts of a listing.' },
  { name: 'Competitors', description: 'Competitors of tracked applications.' },
  { name: 'Keywords', description: 'Tracked keywords, their ranks, and the inspection of any keyword.' },
  {
    name: 'Alerts',
    description: 'What changed: rules that look at every daily reading, and what they found.',
  },
  { name: 'Discovery', description: 'Find new keywords: autocomplete suggestions and niche analyses.' },
  { name: 'Top charts', description: 'Daily top charts of the stores.' },
] as const;

export type TagName = (typeof tags)[number]['name'];

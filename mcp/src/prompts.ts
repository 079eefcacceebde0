import { fromJsonSchema } from '@modelcontextprotocol/server';

/** A task that a user picks from the menu of the client. */
type Prompt = {
  name: string;
  title: string;
  description: string;
  /** name -> description; all are texts */
  arguments: Readonly<Record<string, string>>;
  required: string[];
  /** The task, as the user's message. */
  write(given: Readonly<Record<string, string | undefined>>): string;
};

const researchKeywords: Prompt = {
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
2. Find candidates: run_niche_analysis for the topic, and run_autocomplete for two or three beginnings of it; for a tracked app with competitors also list_keyword_gap, which is free.
3. The niches already have traffic and difficulty of their keywords. Choose the three to five most promising candidates and inspect them with inspect_keyword, at once. Look at who ranks: can an app like this one be among them?
4. Show a table: keyword, traffic, difficulty, KEI, who ranks, and one of "take now", "build towards", "leave". Say which figures are null (not measured) instead of guessing.
5. Recommend at most ten keywords to track, and one niche with its reason. Ask before you call track_keywords.`,
};

const auditAndRewrite: Prompt = {
  name: 'audit_and_rewrite',
  title: 'Audit a listing and rewrite it',
  description: 'Reads the audit of a tracked app, drafts better texts and proves them with simulations.',
  arguments: { app: 'The tracked app: its title or its id in Shelfwise.' },
  required: ['app'],
  write: ({ app }) => `Audit and rewrite the listing of: ${app}.

1. Find the app with list_applications (with app_id for the full description), then get_aso_health and list_keywords. Wait until there is an audit. Name the two or three findings that cost most.
2. Look at the rivals: list_competitors, list_keyword_gap, and inspect_keyword for the keywords that matter most.
3. Write two drafts of title and subtitle (short description on Google Play), of the keywords field on the App Store, and of the description on Google Play, where its words count. Keep the brand name. Use words that people search for, that are this app's business (relevance of 0.5 or more; the findings list some to add) and that it can win (verdict reachable).
4. Check each with check_metadata until valid is true and no warning matters.
5. Score each with simulate_metadata and this app_id, and compare delta by axis; where it is null, compare the scores, and say what notes say. If the audit has KW_FIELD_UNKNOWN (App Store), ask the user for the keywords field of today, score today's texts with it as kw_field first, and compare the runs with each other, because delta compares with an empty field (delta_basis). Say that PUT /api/v1/applications/{id}/keywords-field keeps it, so that audit and delta include it. get_metadata_simulation with saved.id has the terms with verdicts. Improve the better draft once more.
6. Show the winner next to the texts of today, with lengths, scores before and after, and what each change is for. Say what the figures do not cover. Nothing is written to the store: the user does that.`,
};

/** Every prompt, with its arguments as a schema. */
export const prompts = [researchKeywords, auditAndRewrite].map((prompt) => ({
  ...prompt,
  argsSchema: fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(prompt.arguments).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    required: prompt.required,
  }),
}));

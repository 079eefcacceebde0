import type { AuditInput, TermScore } from '../domain/audit/audit-input.ts';
import { textsOf } from '../domain/listing-context.ts';
import type { Simulation } from './check-simulation.ts';
import type { FilledDraft } from './fill-draft.ts';
import type { Baseline } from './find-baseline.ts';

/** What a draft is scored with, besides its texts and context. */
type Found = Pick<AuditInput, 'terms' | 'sources' | 'tracked'> & {
  /** null without an app */
  baseline: Pick<Baseline, 'neighbors' | 'form_ranks' | 'candidates'> | null;
  /** by normal form */
  candidateScores: ReadonlyMap<string, TermScore>;
};

/** The input of the audit of a draft. Neighbors, ranks by form and words to add are those of the app's audit. */
export function toDraftInput(
  { app, storefront }: Pick<Simulation, 'app' | 'storefront'>,
  draft: FilledDraft,
  { baseline, candidateScores, ...found }: Found,
  now: Date,
): AuditInput {
  const candidates = baseline?.candidates ?? null;
  return {
    storefront,
    app_id: app?.app_id ?? null,
    texts: draft.texts,
    live_title: app?.content.title ?? null,
    live_description: app ? textsOf(app.content).description : null,
    context: draft.context,
    developer_name: draft.developer_name,
    genre: draft.genre,
    genre_key: app?.content.genre_key ?? null,
    ...found,
    candidates:
      candidates &&
      new Map(candidates.terms.map((keyword) => [keyword, candidateScores.get(keyword) ?? null])),
    neighbors: baseline?.neighbors ?? null,
    form_ranks: baseline?.form_ranks ?? new Map(),
    now,
  };
}

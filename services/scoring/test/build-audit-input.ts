import type { Store } from '@shelfwise/facts/stores/store';
import type { AsoReport } from '../src/domain/audit/aso-report.ts';
import {
  type AuditContext,
  type AuditInput,
  type ListingTexts,
  type TermScore,
  unmeasured,
} from '../src/domain/audit/audit-input.ts';
import { auditListing } from '../src/domain/audit/audit-listing.ts';

/** A mid-sized app without problems, so that a test sees only those that it adds. */
export const soundContext: AuditContext = {
  rating: 4.6,
  rating_count: 5_000,
  installs: null,
  screenshots: 8,
  days_since_update: 10,
  age_months: 24,
  has_video: true,
  language_count: 6,
};

export function searched(traffic: number, difficulty: number, brand: TermScore['brand'] = null): TermScore {
  return { ...unmeasured, traffic, difficulty, search_status: 'searched', brand };
}

/** A term that people search for, but whose result page was not read. */
export function ungraded(traffic: number): TermScore {
  return { ...unmeasured, traffic, search_status: 'ungraded' };
}

export const unsearched: TermScore = {
  ...unmeasured,
  traffic: 0,
  difficulty: 0,
  search_status: 'unsearched',
};

type Changes = {
  lang?: string;
  texts?: Partial<ListingTexts>;
  live_title?: string;
  live_description?: string | null;
  neighbors?: AuditInput['neighbors'];
  form_ranks?: AuditInput['form_ranks'];
  context?: Partial<AuditContext>;
  developer_name?: string;
  genre?: string;
  genre_key?: string | null;
  candidates?: AuditInput['candidates'];
  sources?: AuditInput['sources'];
  app_id?: string | null;
  /** Terms that are missing here are pending. */
  terms?: Readonly<Record<string, TermScore>> | ReadonlyMap<string, TermScore>;
};

/** The input of an audit: a sound listing with empty texts, apart from `changes`. */
export function buildAuditInput(store: Store, changes: Changes = {}): AuditInput {
  const { terms = {}, texts, context, lang = 'en-US', ...rest } = changes;
  const blank: ListingTexts = { title: '', subtitle: '', description: '', kw_field: null };
  return {
    storefront: { store, country: 'US', lang },
    app_id: 'com.example.lumen',
    developer_name: 'Quillfoot Works',
    genre: 'Reference',
    genre_key: '6006',
    live_title: null,
    live_description: null,
    neighbors: null,
    form_ranks: new Map(),
    candidates: null,
    sources: new Map(),
    tracked: new Map(),
    now: new Date('2026-11-21T12:00:00Z'),
    ...rest,
    texts: { ...blank, ...texts },
    context: { ...soundContext, ...context },
    terms: terms instanceof Map ? terms : new Map(Object.entries(terms)),
  };
}

/** The report of an audit, whether it may be shown or not. */
export function reportOf(input: AuditInput): AsoReport {
  return auditListing(input).report;
}

import { outboxFields } from '@shelfwise/runtime/events/outbox';
import { Schema } from 'mongoose';
import type { Term } from './term.ts';
import type { TermSchedule } from './term-requests.ts';

/** A term as it is stored, with what decides when it is measured. */
export type TermDocument = Term &
  TermSchedule & {
    /** Counts the writes of measurements. */
    revision: number;
  };

export const termSchema = new Schema<TermDocument>(
  {
    _id: { type: String, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    keyword: { type: String, required: true },
    form: String,
    is_tracked: Boolean,
    public_until: Date,
    public_page: Schema.Types.Mixed,
    tracked_at: Date,
    awaited_at: Date,
    ranking: Schema.Types.Mixed,
    reading: Schema.Types.Mixed,
    score: Schema.Types.Mixed,
    has_unproven_page: Boolean,
    importance: Number,
    requested_until: Date,
    daily_until: Date,
    due_at: Date,
    failures: Number,
    claimed_by: String,
    request_count: Number,
    has_unpublished_scores: Boolean,
    revision: Number,
    ...outboxFields,
  },
  { versionKey: false, minimize: false },
)
  .index({ store: 1, failures: 1, importance: 1, due_at: 1 })
  .index({ store: 1, importance: 1, due_at: 1 })
  .index({ store: 1, country: 1, lang: 1, form: 1 })
  .index({ store: 1, country: 1, lang: 1, 'public_page.first_ids': 1 })
  .index({ 'score.scoring_version': 1 })
  .index({ outbox_since: 1 }, { sparse: true });

import { Schema } from 'mongoose';
import type { Listing } from './listing.ts';

export const listingSchema = new Schema<Listing>(
  {
    _id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    app_id: { type: String, required: true },
    revision: { type: Number, required: true },
    read_at: { type: Date, required: true },
    source: { type: String, required: true },
    content: { type: Schema.Types.Mixed, required: true },
    unlisted_since: { type: Date, default: null },
    followed_since_day: { type: String, default: null },
    terms_hash: { type: String, default: null },
    candidates: { type: Schema.Types.Mixed, default: null },
    candidate_requests: Schema.Types.Mixed,
    described_terms: { type: [String], default: null },
    words_to_add: Schema.Types.Mixed,
    is_choice_due: Boolean,
    has_pending_terms: { type: Boolean, required: true },
    last_daily_audit_day: { type: String, default: null },
    requested_at: { type: Date, default: null },
    last_audit_started_at: Date,
    due_at: Date,
    failures: { type: Number, required: true },
    claimed_by: String,
  },
  { versionKey: false, minimize: false },
).index({ due_at: 1 });

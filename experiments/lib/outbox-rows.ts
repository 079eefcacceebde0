import { outboxFields } from '@shelfwise/runtime/events/outbox';
import { type Connection, Schema } from 'mongoose';

const schema = new Schema({ _id: Number, ...outboxFields }, { versionKey: false }).index(
  { outbox_since: 1 },
  { sparse: true },
);

/** The documents whose changes `outbox-copy.ts` and `kafka-brokers` publish. */
export const openOutboxRows = (connection: Connection) => connection.model('Row', schema, 'rows');

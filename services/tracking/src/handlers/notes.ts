import type {
  AddNoteRequest,
  ListNotesReply,
  ListNotesRequest,
  Note as NoteMessage,
  RemoveNoteReply,
  RemoveNoteRequest,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkDay, checkId, checkPage, checkText } from '@shelfwise/runtime/check-request';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import { maxNotes, type Note, type NoteStore } from '../stores/note-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, noRoom } from '../tracking-errors.ts';

/** In UTF-16 units. The gateway accepts 500 code points. */
const maxTextLength = 1000;

type Deps = {
  notes: Pick<NoteStore, 'list' | 'count' | 'remove'>;
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
};

type AddDeps = Deps & {
  notes: Pick<NoteStore, 'add'>;
  capReservations: Pick<CapReservations, 'write'>;
  now: () => Date;
};

/** An application never has more than `maxNotes`, however many calls add at once. @throws APP_NOT_FOUND, PLAN_LIMIT, SERVICE_UNAVAILABLE */
export async function addNote(
  deps: AddDeps,
  request: AddNoteRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<NoteMessage> {
  const day = checkDay('date', request.date);
  const text = checkText('text', request.text, 1, maxTextLength);
  const app = await checkApp(deps, request);
  const { account_id: accountId, listing_id: listingId } = app;
  const item = `notes ${listingId}` as const;
  const countRows = () => deps.notes.count(app);
  const { written: note, isFull } = await deps.capReservations.write(
    { accountId, item, cap: maxNotes, wanted: 1, countRows, signal },
    {
      write: () => deps.notes.add(app, { day, text }, deps.now()),
      undo: async ({ _id: id }) => void (await deps.notes.remove(app, id)),
    },
  );
  if (!note && isFull)
    throw new AppError('PLAN_LIMIT', `An application has at most ${maxNotes} notes. Remove one first.`);
  if (!note) throw noRoom('note', maxNotes, isFull);
  if (await deps.trackedApps.isActive(app)) return toMessage(note);
  // The account was deleted meanwhile, perhaps after its notes were.
  await deps.notes.remove(app, note._id);
  throw appNotTracked();
}

/**
 * The latest day first. Cost: one query for the application, one for the page, and a count unless the page ends the list.
 * @throws APP_NOT_FOUND
 */
export async function listNotes(deps: Deps, request: ListNotesRequest): Promise<ListNotesReply> {
  const page = checkPage(request, maxNotes);
  const app = await checkApp(deps, request);
  const notes = await deps.notes.list(app, page);
  // A page beyond the end says nothing of the total.
  const isEnd = notes.length < page.limit && (notes.length > 0 || page.skip === 0);
  const total = isEnd ? page.skip + notes.length : await deps.notes.count(app);
  return { notes: notes.map(toMessage), total };
}

/** @throws APP_NOT_FOUND */
export async function removeNote(deps: Deps, request: RemoveNoteRequest): Promise<RemoveNoteReply> {
  const id = checkId('id', request.id);
  const app = await checkApp(deps, request);
  return { id, already_removed: !(await deps.notes.remove(app, id)) };
}

async function checkApp(
  { trackedApps }: Deps,
  request: { account_id: string; app_id: number },
): Promise<TrackedAppKey> {
  const app = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  if (!(await trackedApps.isActive(app))) throw appNotTracked();
  return app;
}

function toMessage({ _id: id, day: date, text, created_at }: Note): NoteMessage {
  return { id, date, text, created_at };
}

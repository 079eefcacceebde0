import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import { pagedList, pageFields } from './route/paged-list.ts';
import { note, toNote } from './shapes/note.ts';
import * as shapes from './shapes/shapes.ts';

type Deps = { tracking: Pick<Clients['tracking'], 'listNotes'> };

export const listNotes = defineRoute({
  ...pagedList(note),
  path: '/api/v1/applications/{id}/notes',
  operationId: 'listNotes',
  tag: 'Applications',
  summary: 'List the notes about an application',
  description: 'The notes of this account, the latest day first. Other accounts never see them.',
  cost: 0,
  services: ['tracking'],
  params: z.object({ id: idParameter('Id of the application in Shelfwise.') }),
  query: z.object(pageFields),
  sample: { params: { id: 1 } },
  errors: {
    APP_NOT_FOUND: appNotTracked,
  },
  async handler(deps: Deps, { account, params, query, call }) {
    const { page, per_page: perPage } = query;
    const request = { account_id: account.id, app_id: params.id, page, per_page: perPage };
    const { notes, total } = await deps.tracking.listNotes(request, call);
    return { data: notes.map(toNote), meta: shapes.toPaginationMeta(total, query) };
  },
});

import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/notes';
const createdAt = new Date('2026-06-15T10:00:00Z');
const shown = { id: 7, date: '2026-01-31', text: 'Ads began', created_at: '2026-06-15T10:00:00.000Z' };

test('notes are listed in pages', async () => {
  api.tracking.answer({
    listNotes: async () => ({ notes: [{ ...shown, created_at: createdAt }], total: 3 }),
  });
  const { body } = await api.call('GET', `${path}?page=2&per_page=1`);
  expect(body).toMatchObject({ data: [shown], meta: { total: 3, page: 2, total_pages: 3, has_more: true } });
  expect(api.tracking.requests.at(-1)?.request).toEqual({
    account_id: api.accountId,
    app_id: 42,
    page: 2,
    per_page: 1,
  });
});

test('as CSV, a row is a note', async () => {
  api.tracking.answer({
    listNotes: async () => ({ notes: [{ ...shown, created_at: createdAt }], total: 1 }),
  });
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  expect(body).toBe(`id,date,text,created_at\r\n7,2026-01-31,Ads began,${shown.created_at}\r\n`);
});

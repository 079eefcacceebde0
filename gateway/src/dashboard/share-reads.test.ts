import type { Clients } from '../clients.ts';
import { shareReads } from './share-reads.ts';

const call = { requestId: 'request', deadline: new Date('2026-06-15T12:00:05Z') };
const ofApp = (appId: number) => ({ account_id: 'ann', app_id: appId });

function create(answer = async () => ({ relations: [], total: 0 })) {
  const read = jest.fn(answer);
  return { read, clients: { tracking: { listCompetitors: read } } as unknown as Clients };
}

test('equal reads of a page are one, also after its answer; others are not', async () => {
  const { read, clients } = create();
  const { tracking } = shareReads(clients);
  const [first, second] = await Promise.all([
    tracking.listCompetitors(ofApp(42), call),
    tracking.listCompetitors(ofApp(42), call),
  ]);
  expect(second).toBe(first);
  expect(await tracking.listCompetitors(ofApp(42), call)).toBe(first);
  expect(read).toHaveBeenCalledTimes(1);
  await tracking.listCompetitors(ofApp(7), call);
  expect(read).toHaveBeenCalledTimes(2);
});

test('another page reads again', async () => {
  const { read, clients } = create();
  await shareReads(clients).tracking.listCompetitors(ofApp(42), call);
  await shareReads(clients).tracking.listCompetitors(ofApp(42), call);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a failure is that of all who share the read', async () => {
  const { read, clients } = create(() => Promise.reject(new Error('lost')));
  const { tracking } = shareReads(clients);
  for (let look = 0; look < 2; look++)
    await expect(tracking.listCompetitors(ofApp(42), call)).rejects.toThrow('lost');
  expect(read).toHaveBeenCalledTimes(1);
});

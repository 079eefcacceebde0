import { createApi } from '../../testing/system/api.ts';
import { storefront, useSystems } from './use-systems.ts';

const { start } = useSystems();

jest.setTimeout(120_000);

const [own, rival] = ['9005997251', '9048598736'];

test('id281796108 and 281796108 are one app: DUPLICATE and SELF_COMPETITOR hold for both spellings', async () => {
  const { url, key } = await start();
  const api = createApi(url, key ?? '');
  const addApp = (appId: string) => api('POST', '/applications', { app_id: appId, ...storefront });
  const added = await addApp(`id${own}`);
  expect(added).toMatchObject({ status: 200, body: { data: { app: { id: own } } } });
  const { id } = added.body.data;
  for (const appId of [own, `id${own}`])
    expect(await addApp(appId)).toMatchObject({ status: 409, body: { code: 'DUPLICATE', details: { id } } });

  const addRival = (rivalId: string) =>
    api('POST', '/competitors', { app_id: id, competitor_app_id: rivalId, ...storefront });
  for (const appId of [own, `id${own}`])
    expect(await addRival(appId)).toMatchObject({ status: 400, body: { code: 'SELF_COMPETITOR' } });
  expect(await addRival(rival)).toMatchObject({
    status: 200,
    body: { data: { competitor: { app_id: rival } } },
  });
  expect(await addRival(`id${rival}`)).toMatchObject({ status: 409, body: { code: 'DUPLICATE' } });
});

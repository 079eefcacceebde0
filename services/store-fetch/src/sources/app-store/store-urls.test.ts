import { findPagePath } from './store-urls.ts';

const hk = { store: 'ITUNES', country: 'HK', lang: 'zh-Hant-HK' } as const;
const id = 700000001;

test.each([
  ['https://apps.apple.example/hk/app/quillmoor/id700000001?uo=4', '/hk/app/quillmoor/id700000001', null],
  ['https://itunes.example/hk/app/%E7%AD%86/id700000001?mt=12&uo=4', '/hk/app/%E7%AD%86/id700000001', '12'],
  ['/hk/app/quillmoor/id700000001?l=zh', '/hk/app/quillmoor/id700000001', null],
  ['http://proxy.example/store/hk/app/id700000001', '/hk/app/id700000001', null],
])('the address %s leads to the page of the app', (address, path, mediaType) =>
  expect(findPagePath(address, hk, id)).toEqual({ path, mediaType }),
);

test.each([
  'https://apps.apple.example/us/app/quillmoor/id700000001',
  'https://apps.apple.example/hk/app/quillmoor/id7000000012',
  'https://apps.apple.example/hk/app/quillmoor/id700000001/reviews',
  'https://apps.apple.example/hk/developer/id700000001',
  'https://apps.apple.example/hk/app/../../admin',
  'https://www.example/',
  'https://',
  '',
])('an address that is not the app’s page in its storefront is not followed: %j', (address) =>
  expect(findPagePath(address, hk, id)).toBeNull(),
);

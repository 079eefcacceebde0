import { parseStoreAddress } from './parse-store-address.ts';

const given = { country: 'us', lang: 'en-US' };
const us = { country: 'US', lang: 'en-US' };

test.each([
  ['281796108', { app_id: '281796108', store: 'ITUNES', ...us }],
  [' id281796108 ', { app_id: '281796108', store: 'ITUNES', ...us }],
  ['com.example.habits', { app_id: 'com.example.habits', store: 'GPLAY', ...us }],
  [
    'https://apps.apple.com/de/app/evernote/id281796108?l=en',
    { app_id: '281796108', store: 'ITUNES', country: 'DE', lang: 'en-US' },
  ],
  ['https://apps.apple.com/app/id281796108', { app_id: '281796108', store: 'ITUNES', ...us }],
  [
    'https://play.google.com/store/apps/details?id=com.evernote&hl=de&gl=at',
    { app_id: 'com.evernote', store: 'GPLAY', country: 'AT', lang: 'de' },
  ],
  [
    'https://play.google.com/store/apps/details?id=com.evernote',
    { app_id: 'com.evernote', store: 'GPLAY', ...us },
  ],
])('%s is an app', (text, app) => {
  expect(parseStoreAddress(text, given)).toEqual(app);
});

test.each(['', 'habit tracker', 'https://example.com/id281796108', 'https://apps.apple.com/us/developer/x'])(
  '“%s” is none',
  (text) => {
    expect(parseStoreAddress(text, given)).toBeNull();
  },
);

import { findIdInAddress } from './find-id-in-address.ts';

test.each([
  ['https://apps.apple.com/us/app/evernote-notes/id281796108?mt=8', '281796108'],
  ['https://apps.apple.com/app/id281796108', '281796108'],
  ['http://itunes.apple.com/jp/app/x/id281796108/?l=en#see-all', '281796108'],
  ['https://itunes.apple.com/lookup?id=281796108', '281796108'],
  ['apps.apple.com/de/app/id281796108', '281796108'],
  ['APPS.APPLE.COM/de/app/id281796108', '281796108'],
  ['itms-apps://itunes.apple.com/app/id281796108', '281796108'],
  [' https://play.google.com/store/apps/details?id=com.example.app&hl=de ', 'com.example.app'],
  ['play.google.com/store/apps/details?hl=de&id=com.example.app', 'com.example.app'],
  ['market://details?id=com.example.app', 'com.example.app'],
  ['https://geo.itunes.apple.com/app/id281796108', '281796108'],
  ['https://www.apps.apple.com/app/id281796108?mt=8&uo=4', '281796108'],
  ['<https://apps.apple.com/app/id281796108>', '281796108'],
  ['"https://play.google.com/store/apps/details?id=com.example.app".', 'com.example.app'],
  ['https://play.google.com/apps/testing/com.example.app', 'com.example.app'],
])('the address %s has the id %s', (address, id) => {
  expect(findIdInAddress(address)).toBe(id);
});

test.each([
  '',
  'id281796108',
  'https://',
  'https://example.test/app/id281796108',
  'https://apps.apple.com.example.test/app/id281796108',
  'https://apps.apple.com/us/developer/evernote',
  'https://apps.apple.com/us/app/idea/idea1',
  'https://play.google.com/store/apps/dev?id=5700313618786177705',
  'https://play.google.com/store/apps/details?id=<script>',
  `https://apps.apple.com/app/id281796108?${'x'.repeat(3000)}`,
])('the text %s has none', (text) => {
  expect(findIdInAddress(text)).toBeNull();
});

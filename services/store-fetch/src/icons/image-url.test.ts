import { toImageUrl } from './image-url.ts';

const origins = new Set(['http://127.0.0.1:8080', 'https://itunes.apple.com']);
const hrefOf = (store: 'ITUNES' | 'GPLAY', address: string) =>
  toImageUrl(store, address, origins)?.href ?? null;

test('an icon is read from the image server of its store, in a small size', () => {
  const apple = 'https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/ab/AppIcon-85-220.png';
  expect(hrefOf('ITUNES', `${apple}/512x512bb.jpg`)).toBe(`${apple}/72x72bb.jpg`);
  expect(hrefOf('ITUNES', `${apple}/100x100bb-85.png`)).toBe(`${apple}/72x72bb-85.png`);
  expect(hrefOf('ITUNES', `${apple}`)).toBe(apple);
  const google = 'https://play-lh.googleusercontent.com/a_B-c9';
  for (const address of [google, `${google}=w240-h480-rw`, `${google}=s180`])
    expect(hrefOf('GPLAY', address)).toBe(`${google}=s72`);
  expect(hrefOf('GPLAY', 'https://lh3.ggpht.com/a=s1')).toBe('https://lh3.ggpht.com/a=s72');
});

test('an icon of the configured store is read where it is', () => {
  const address = 'http://127.0.0.1:8080/icons/1.png';
  expect(hrefOf('ITUNES', address)).toBe(address);
});

test.each([
  'http://is1-ssl.mzstatic.com/a.png',
  'https://is1-ssl.mzstatic.com:8443/a.png',
  'https://ann:secret@is1-ssl.mzstatic.com/a.png',
  'https://is1-ssl.mzstatic.com.example.com/a.png',
  'https://mzstatic.com.example.com/a.png',
  'https://example.com/is1-ssl.mzstatic.com/a.png',
  'https://34.100.12.1.bc.googleusercontent.com/a.png',
  'https://play-lh.googleusercontent.com/a',
  'https://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:8081/icons/1.png',
  'http://localhost:8080/icons/1.png',
  'http://ann@127.0.0.1:8080/icons/1.png',
  'file:///etc/passwd',
  'data:image/png;base64,AA',
  '//is1-ssl.mzstatic.com/a.png',
  '',
])('no App Store icon is read from %p', (address) => {
  expect(hrefOf('ITUNES', address)).toBeNull();
});

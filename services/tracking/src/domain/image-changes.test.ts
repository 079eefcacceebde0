import { changedImages, compareImages } from './image-changes.ts';

const apple = (host: number, name: string, size: string, storage = 'Purple114') =>
  `https://is${host}-ssl.mzstatic.com/image/thumb/${storage}/v4/${name}/source/${size}.png`;
const play = (name: string, size: string) => `https://play-lh.googleusercontent.com/${name}=${size}`;

const images = (icon: string | null, screenshots: string[], unreadable: string[] = []) => ({
  icon,
  screenshots,
  unreadable,
});
const same = { icon_changed: false, screenshots_added: 0, screenshots_removed: 0 };

test('a picture of another host, storage or size is the same one', () => {
  const before = images(apple(1, 'a', '60x60bb'), [play('x', 's64'), apple(2, 'b', '392x696bb')]);
  const after = images(apple(5, 'a', '512x512bb'), [
    play('x', 'w526-h296'),
    apple(1, 'b', '800x500bb', 'PurpleSource221'),
  ]);
  expect(compareImages(before, after)).toEqual(same);
  expect(changedImages(same)).toEqual([]);
});

test('new and missing pictures are counted, whatever their order', () => {
  const before = images(play('a', 's1'), [play('x', 's1'), play('y', 's1'), play('z', 's1')]);
  const after = images(play('b', 's1'), [play('z', 's1'), play('x', 's1'), play('new', 's1')]);
  const changes = compareImages(before, after);
  expect(changes).toEqual({ icon_changed: true, screenshots_added: 1, screenshots_removed: 1 });
  expect(changedImages(changes)).toEqual(['icon', 'screenshots']);
  const reversed = { ...before, screenshots: before.screenshots.toReversed() };
  expect(compareImages(before, reversed)).toEqual(same);
});

test('an icon at another address of the App Store is not known to be another picture: each build has its own', () => {
  const before = images(apple(1, 'c3/03/4f/c3034fea-d595-dc56-de9c-189ae67e6afa', '512x512bb'), []);
  const after = images(apple(1, '27/76/d0/2776d0fc-7b21-7d28-3a56-26e5195e9921', '512x512bb'), []);
  const changes = compareImages(before, after);
  expect(changes).toEqual({ ...same, icon_changed: null });
  expect(changedImages(changes)).toEqual([]);
  expect(compareImages(before, images('https://sample.example/a.png', [])).icon_changed).toBe(true);
});

test('pictures that were not read on one side are not known to differ', () => {
  const known = images('https://sample.example/a.png', ['https://sample.example/1.png']);
  const unread = images(null, [], ['icon', 'screenshots']);
  const none = { icon_changed: null, screenshots_added: null, screenshots_removed: null };
  for (const [before, after] of [
    [known, unread],
    [unread, known],
  ] as const)
    expect(compareImages(before, after)).toEqual(none);
  expect(changedImages(none)).toEqual([]);
});

test('a listing that shows no screenshots any more has removed them', () => {
  expect(compareImages(images('i', ['a', 'b']), images('i', []))).toEqual({
    icon_changed: false,
    screenshots_added: 0,
    screenshots_removed: 2,
  });
});

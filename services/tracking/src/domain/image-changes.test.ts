import { changedImages, compareImages } from './image-changes.ts';

const apple = (host: number, name: string, size: string) =>
  `https://is${host}-ssl.mzstatic.com/image/thumb/Purple114/v4/${name}/source/${size}.png`;
const play = (name: string, size: string) => `https://play-lh.googleusercontent.com/${name}=${size}`;

const images = (icon: string | null, screenshots: string[], unreadable: string[] = []) => ({
  icon,
  screenshots,
  unreadable,
});
const same = { icon_changed: false, screenshots_added: 0, screenshots_removed: 0 };

test('a picture of another host or size is the same one', () => {
  const before = images(apple(1, 'a', '60x60bb'), [play('x', 's64'), apple(2, 'b', '392x696bb')]);
  const after = images(apple(5, 'a', '512x512bb'), [play('x', 'w526-h296'), apple(1, 'b', '800x500bb')]);
  expect(compareImages(before, after)).toEqual(same);
  expect(changedImages(same)).toEqual([]);
});

test('new and missing pictures are counted, whatever their order', () => {
  const before = images(apple(1, 'a', '1x1'), [play('x', 's1'), play('y', 's1'), play('z', 's1')]);
  const after = images(apple(1, 'b', '1x1'), [play('z', 's1'), play('x', 's1'), play('new', 's1')]);
  const changes = compareImages(before, after);
  expect(changes).toEqual({ icon_changed: true, screenshots_added: 1, screenshots_removed: 1 });
  expect(changedImages(changes)).toEqual(['icon', 'screenshots']);
  const reversed = { ...before, screenshots: before.screenshots.toReversed() };
  expect(compareImages(before, reversed)).toEqual(same);
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

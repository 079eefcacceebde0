import { watchPlace } from './watch-place.ts';

type Entry = Pick<IntersectionObserverEntry, 'target' | 'isIntersecting'>;

const observers: { watched: Set<Element>; report: (entries: Entry[]) => void }[] = [];
const before = globalThis.IntersectionObserver;

beforeAll(() => {
  class Observer {
    readonly watched = new Set<Element>();
    readonly report: (entries: Entry[]) => void;
    constructor(report: (entries: Entry[]) => void) {
      this.report = report;
      observers.push(this);
    }
    observe(place: Element): void {
      this.watched.add(place);
    }
    unobserve(place: Element): void {
      this.watched.delete(place);
    }
  }
  globalThis.IntersectionObserver = Observer as unknown as typeof IntersectionObserver;
});
afterAll(() => {
  globalThis.IntersectionObserver = before;
});

test('places share one observer, and each hears of itself until it ends', () => {
  const [one, other] = [{} as Element, {} as Element];
  const heard: string[] = [];
  const end = watchPlace(one, (isInView) => heard.push(`one ${isInView}`));
  watchPlace(other, (isInView) => heard.push(`other ${isInView}`));
  expect(observers).toHaveLength(1);
  const [shared] = observers;
  const report = (target: Element, isIntersecting: boolean) => shared?.report([{ target, isIntersecting }]);
  report(one, true);
  report(other, false);
  expect(heard).toEqual(['one true', 'other false']);
  end();
  report(one, false);
  expect(heard).toHaveLength(2);
  expect([...(shared?.watched ?? [])]).toEqual([other]);
});

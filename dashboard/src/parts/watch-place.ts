type Look = (isInView: boolean) => void;

/** What is this close to the view counts as in it. */
const margin = '200px';

const looks = new Map<Element, Look>();
let observer: IntersectionObserver | null = null;

/**
 * Says when a place comes into view and when it leaves it. All places share one observer: one for each row costs more than its row.
 * @returns ends it
 */
export function watchPlace(place: Element, look: Look): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) looks.get(target)?.(isIntersecting);
    },
    { rootMargin: margin },
  );
  const shared = observer;
  looks.set(place, look);
  shared.observe(place);
  return () => {
    shared.unobserve(place);
    looks.delete(place);
  };
}

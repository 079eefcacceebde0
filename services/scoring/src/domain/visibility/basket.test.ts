import fc from 'fast-check';
import {
  type Basket,
  basketOn,
  type Candidate,
  drawBasket,
  hasThinBasket,
  nextBasket,
  replacedOn,
} from './basket.ts';

const anyStatus = fc.constantFrom<Candidate['searchStatus']>('searched', 'unsearched', 'pending', 'ungraded');
const anyCandidate = fc.record({
  keyword: fc.integer({ min: 0, max: 80 }).map(String),
  traffic: fc.option(fc.integer({ min: 0, max: 100 })),
  searchStatus: anyStatus,
  isBrand: fc.boolean(),
});
const anyTerms = (maxLength: number) => fc.array(anyCandidate, { maxLength });

const candidate = (
  keyword: string,
  traffic: number | null,
  searchStatus: Candidate['searchStatus'] = 'searched',
) => ({
  keyword,
  traffic,
  searchStatus,
  isBrand: false,
});
const keywords = (terms: readonly { keyword: string }[]) => terms.map(({ keyword }) => keyword);

describe('drawing a basket', () => {
  test('tracked terms come first, in their order; then the listing’s own searched terms, most traffic first', () => {
    const drawn = drawBasket({
      tracked: [candidate('old', 3, 'unsearched'), candidate('new', 80)],
      own: [candidate('low', 20), candidate('high', 60), candidate('tie', 20), candidate('new', 80)],
      described: [candidate('said', 90)],
    });
    expect(drawn).toEqual([
      { keyword: 'old', traffic: 3 },
      { keyword: 'new', traffic: 80, is_public: true },
      { keyword: 'high', traffic: 60, is_public: true },
      { keyword: 'low', traffic: 20, is_public: true },
      { keyword: 'tie', traffic: 20, is_public: true },
    ]);
  });

  test('terms of name and subtitle are public, tracked or not, and so are those of the description that fill it', () => {
    const tracked = [candidate('a', 10), candidate('said', 10)];
    const own = [candidate('a', 10), candidate('b', 20)];
    const described = [candidate('said', 10), candidate('told', 10)];
    const publicOf = (terms: ReturnType<typeof drawBasket>) =>
      keywords(terms.filter(({ is_public: isPublic }) => isPublic));
    expect(publicOf(drawBasket({ tracked, own, described }))).toEqual(['a', 'b', 'told']);
    expect(publicOf(drawBasket({ tracked, own: [], described: [] }))).toEqual([]);
  });

  test('terms that are not searched or not measured are not drawn', () => {
    const tracked = [candidate('unmeasured', null, 'pending')];
    const own = [candidate('unsearched', 2, 'unsearched'), candidate('ungraded', 30, 'ungraded')];
    expect(keywords(drawBasket({ tracked, own, described: [] }))).toEqual(['ungraded']);
  });

  test('terms that name a brand are not drawn, tracked or not', () => {
    const brand = (keyword: string) => ({ ...candidate(keyword, 90), isBrand: true });
    const drawn = drawBasket({
      tracked: [brand('rival'), candidate('chat', 40)],
      own: [brand('own'), candidate('talk', 30)],
      described: [brand('said')],
    });
    expect(keywords(drawn)).toEqual(['chat', 'talk']);
  });

  test('a thin basket is filled up to ten with searched terms of the description, in their order', () => {
    const tracked = [candidate('a', 10), candidate('b', 10)];
    const own = [candidate('c', 70), candidate('d', 60)];
    const described = [
      candidate('quiet', 20),
      candidate('unsearched', 3, 'unsearched'),
      candidate('pending', 30, 'pending'),
      { ...candidate('brand', 90), isBrand: true },
      candidate('b', 10),
      ...'123456'.split('').map((name) => candidate(name, 50)),
    ];
    const filled = drawBasket({ tracked, own, described });
    expect(keywords(filled)).toEqual(['a', 'b', 'c', 'd', 'quiet', '1', '2', '3', '4', '5']);
    const fifth = [...own, candidate('e', 5)];
    expect(keywords(drawBasket({ tracked, own: fifth, described }))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a basket has at most 50 terms, the tracked ones first, each once, none that names a brand, and drawing is deterministic', () => {
    fc.assert(
      fc.property(anyTerms(120), anyTerms(120), anyTerms(20), (tracked, own, described) => {
        const drawn = drawBasket({ tracked, own, described });
        expect(drawn.length).toBeLessThanOrEqual(50);
        expect(new Set(keywords(drawn)).size).toBe(drawn.length);
        const isDrawable = ({ isBrand, traffic }: Candidate) => !isBrand && traffic !== null;
        const drawable = [...tracked, ...own, ...described].filter(isDrawable);
        const first = new Set(keywords(tracked.filter(isDrawable)));
        expect(keywords(drawn).slice(0, first.size)).toEqual([...first].slice(0, 50));
        for (const { keyword, traffic } of drawn)
          expect(drawable).toContainEqual(expect.objectContaining({ keyword, traffic }));
        const copies = { tracked: [...tracked], own: [...own], described: [...described] };
        expect(drawBasket(copies)).toEqual(drawn);
      }),
    );
  });

  test('terms of the description change no basket that is not thin, and displace no term of one that is', () => {
    fc.assert(
      fc.property(anyTerms(8), anyTerms(8), anyTerms(20), (tracked, own, described) => {
        const without = drawBasket({ tracked, own, described: [] });
        const filled = drawBasket({ tracked, own, described });
        expect(filled.slice(0, without.length)).toEqual(without);
        expect(filled.length).toBeLessThanOrEqual(Math.max(10, without.length));
        if (without.length >= 5) expect(filled).toEqual(without);
        expect(hasThinBasket({ tracked, own })).toBe(without.length < 5);
        const searched = new Set(
          described
            .filter(
              ({ searchStatus, isBrand }) =>
                !isBrand && (searchStatus === 'searched' || searchStatus === 'ungraded'),
            )
            .map(({ keyword }) => keyword),
        );
        for (const { keyword } of filled.slice(without.length)) expect(searched).toContain(keyword);
      }),
    );
  });
});

describe('renewing a basket', () => {
  const firstDay = '2026-03-10';
  const a = [{ keyword: 'a', traffic: 10 }];
  const b = [{ keyword: 'b', traffic: 20 }];
  const on = (day: string, isDailyAudit = true) => ({ day, firstDay, isDailyAudit });
  const fixed: Basket = { version: 1, from_day: firstDay, month: '2026-03', is_fixed: true, terms: a };
  const provisional = { ...fixed, is_fixed: false };

  test('on the first day it is redrawn at each audit', () => {
    expect(nextBasket(null, [], on(firstDay))).toBeNull();
    expect(nextBasket(null, a, on(firstDay, false))).toEqual(provisional);
    expect(nextBasket(provisional, b, on(firstDay))).toEqual({ ...provisional, terms: b });
    expect(nextBasket(provisional, [], on(firstDay))).toBe(provisional);
    const heavier = [{ keyword: 'a', traffic: 11 }];
    expect(nextBasket(provisional, heavier, on(firstDay))?.terms).toEqual(heavier);
    const shown = [{ keyword: 'a', traffic: 10, is_public: true }];
    expect(nextBasket(provisional, shown, on(firstDay, false))?.terms).toEqual(shown);
  });

  test('it is fixed at the first daily audit of a later day, and redrawn until then', () => {
    expect(nextBasket(provisional, b, on('2026-03-11', false))).toEqual({ ...provisional, terms: b });
    expect(nextBasket(provisional, b, on('2026-03-11'))).toEqual({ ...fixed, terms: b });
    expect(nextBasket(provisional, [], on('2026-03-11'))).toEqual(fixed);
    expect(nextBasket(null, a, on('2026-03-12', false))).toEqual(provisional);
  });

  test('a fixed basket keeps its terms and weights until the month ends', () => {
    for (const day of ['2026-03-11', '2026-03-31'])
      for (const isDailyAudit of [true, false])
        expect(nextBasket(fixed, b, on(day, isDailyAudit))).toBe(fixed);
  });

  test('whatever is drawn, a fixed basket stays within its month, and in a later one only a daily audit renews it', () => {
    const drawn = anyTerms(9).map((tracked) => drawBasket({ tracked, own: [], described: [] }));
    const date = fc.date({ min: new Date('2026-03-11'), max: new Date('2026-06-30'), noInvalidDate: true });
    fc.assert(
      fc.property(drawn, date, fc.boolean(), (terms, at, isDailyAudit) => {
        const day = at.toISOString().slice(0, 10);
        const next = nextBasket(fixed, terms, on(day, isDailyAudit));
        const isNew = terms.length > 0 && (terms.length > 1 || terms[0]?.keyword !== 'a');
        if (day < '2026-04-01' || !isDailyAudit) expect(next).toBe(fixed);
        else
          expect(next).toMatchObject(isNew ? { version: 2, from_day: day, terms } : { version: 1, terms: a });
      }),
    );
  });

  test('a new version comes at the first daily audit of a month if its terms differ', () => {
    expect(nextBasket(fixed, b, on('2026-04-01', false))).toBe(fixed);
    const second = { version: 2, from_day: '2026-04-01', month: '2026-04', is_fixed: true, terms: b };
    expect(nextBasket(fixed, b, on('2026-04-01'))).toEqual(second);
    expect(nextBasket(second, a, on('2026-04-30'))).toBe(second);
  });

  test('with the same terms, or none, the version stays for another month', () => {
    const extended = { ...fixed, month: '2026-04' };
    expect(nextBasket(fixed, [{ keyword: 'a', traffic: 99 }], on('2026-04-02'))).toEqual(extended);
    expect(nextBasket(fixed, [], on('2026-04-02'))).toEqual(extended);
    expect(nextBasket(extended, b, on('2026-04-03'))).toBe(extended);
  });

  test('the newest version that has started is in force; before the first one starts, the first', () => {
    const second = { ...fixed, version: 2, from_day: '2026-04-01' };
    expect(basketOn('2026-03-31', [fixed, second])).toBe(fixed);
    expect(basketOn('2026-04-01', [fixed, second])).toBe(second);
    expect(basketOn('2025-01-01', [fixed, second])).toBe(fixed);
    expect(basketOn('2026-03-31', [])).toBeNull();
  });

  test('the first day of a new version has a replaced basket, no other day', () => {
    const baskets = [fixed, { ...fixed, version: 2, from_day: '2026-04-01' }];
    expect(replacedOn('2026-04-01', baskets)).toBe(fixed);
    for (const day of [fixed.from_day, '2026-03-31', '2026-04-02'])
      expect([day, replacedOn(day, baskets)]).toEqual([day, null]);
    expect(replacedOn('2026-04-01', [])).toBeNull();
  });
});

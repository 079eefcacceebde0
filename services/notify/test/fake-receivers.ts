import type { PostOnce } from '../src/delivery/send-delivery.ts';

type Post = Parameters<PostOnce>[0];
type Answer = Awaited<ReturnType<PostOnce>>;

export type FakeReceivers = ReturnType<typeof createFakeReceivers>;

/** Receivers without a network. Each answers 200 unless a test says what its host does. */
export function createFakeReceivers() {
  const requests: Post[] = [];
  /** What a host answers, with how many requests it had before. May hang or throw, as a receiver does. */
  const answers = new Map<string, (post: Post, before: number) => Promise<Answer> | Answer>();
  const toHost = (host: string) => requests.filter(({ url }) => new URL(url).host === host);

  const post: PostOnce = async (call) => {
    const { host } = new URL(call.url);
    const before = toHost(host).length;
    requests.push(call);
    const answer = answers.get(host);
    return answer ? answer(call, before) : ok();
  };

  return {
    post,
    requests,
    toHost,
    answers,
    /** The ids of the messages to a host, in the order in which they came. */
    idsTo: (host: string) => toHost(host).map(({ headers }) => headers['webhook-id']),
    /** The bodies of the messages to a host. */
    bodiesTo: (host: string) => toHost(host).map(({ body }) => JSON.parse(body)),
  };
}

export const ok = (): Answer => ({ status: 200, durationMs: 12, answer: 'thanks', isWhole: true });

export const answerStatus = (status: number) => (): Answer => ({ ...ok(), status, answer: 'no' });

/** Until the call is aborted. */
export const hang = ({ signal }: Post): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

import type { Model } from '../../figure.ts';

/** What an assistant asks for. */
type Asked = {
  email: string;
  /** what it calls itself */
  client: string;
  /** the host whose document names it; null: nothing proves its name */
  provenHost: string | null;
  /** where it is sent back to: a host, or the scheme of a program */
  redirectHost: string;
  /** the address of the assistant that says that the request was declined */
  declineUrl: string;
};

/** `unknown`: the page leads nowhere. `refused`: only the way back is left. */
export type ConnectModel = Model<
  | { email: string; state: 'unknown'; message: string }
  | (Asked & { state: 'refused'; message: string })
  | (Asked & {
      state: 'asking';
      /** whether it may be given `write` */
      canWrite: boolean;
      /** whether it asks for it: only then it is chosen beforehand */
      asksToWrite: boolean;
    })
>;

import type { Request, Response } from 'express';
import { longestSessionMs } from './sessions.ts';

export type SessionCookie = ReturnType<typeof createSessionCookie>;

const format = /^sw_session_[0-9A-Za-z]{43}$/;

/**
 * The cookie of a session: no script reads it, and other sites only send it with a click on a link. With https it is never
 * sent without, and a server of a neighboring name cannot set it.
 */
export function createSessionCookie({ isSecure }: { isSecure: boolean }) {
  const name = isSecure ? '__Host-shelfwise' : 'shelfwise';
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    /** Null without a session. Two cookies of the name count as none: one of them may be planted. */
    read({ headers }: Request): string | null {
      const values = (headers.cookie ?? '')
        .split(';')
        // Not trim(): a no-break space before the name makes it another name.
        .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      const [value] = values;
      return values.length === 1 && value !== undefined && format.test(value) ? value : null;
    },
    set(response: Response, secret: string): void {
      response.cookie(name, secret, { ...options, maxAge: longestSessionMs });
    },
    clear(response: Response): void {
      response.clearCookie(name, options);
    },
  };
}

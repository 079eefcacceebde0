/** By the address of a system of this process: lets the time of its rate windows pass. */
const clocks = new Map<string, (ms: number) => void>();

/** From now on calls of `createApi` to this system do not wait for its rate windows, but move their clock on. */
export function letWindowsPass(url: string, pass: (ms: number) => void): void {
  clocks.set(url, pass);
}

/** Waits for the rate windows of a system, or lets their time pass. */
export async function passWindow(url: string, ms: number): Promise<void> {
  const pass = clocks.get(url);
  if (pass) pass(ms);
  else await new Promise((resolve) => setTimeout(resolve, ms));
}

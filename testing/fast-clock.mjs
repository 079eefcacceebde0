/*
 * For a process of a test whose clock is not injected (`--import`): its timers and `performance.now` run twenty times
 * as fast.
 */
const speed = 20;
const { setTimeout: startTimer } = globalThis;
const now = performance.now.bind(performance);

globalThis.setTimeout = Object.assign(
  (callback, ms, ...args) => startTimer(callback, ms / speed, ...args),
  startTimer,
);
performance.now = () => now() * speed;

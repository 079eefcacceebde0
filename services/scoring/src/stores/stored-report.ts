import { HealthReport } from '@shelfwise/proto/scoring/v1/report';

/** Raised when an older report could not be shown any more: when a field changes its meaning or goes away. */
export const reportShape = 1;

/**
 * A report as documents keep it: in the contract's own encoding, because the generated objects have a field that
 * begins with a dollar (`$case`), which not every database takes.
 */
export function packReport(report: HealthReport): Buffer {
  return Buffer.from(HealthReport.encode(report).finish());
}

/** The other way round. BSON gives binary fields back in a wrapper of its own. */
export function unpackReport(stored: Uint8Array | { buffer: Uint8Array }): HealthReport {
  return HealthReport.decode(stored instanceof Uint8Array ? stored : stored.buffer);
}

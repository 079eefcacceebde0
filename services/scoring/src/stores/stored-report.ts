import { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';

/** Raised when an older report could not be shown any more: when a field changes its meaning or goes away. */
export const reportShape = 1;

/**
 * A report as documents keep it: in the contract's own encoding, because the generated objects have a field that
 * begins with a dollar (`$case`), which not every database takes.
 */
export function packReport(report: AsoReport): Buffer {
  return Buffer.from(AsoReport.encode(report).finish());
}

/** The other way round. BSON gives binary fields back in a wrapper of its own. */
export function unpackReport(stored: Uint8Array | { buffer: Uint8Array }): AsoReport {
  return AsoReport.decode(stored instanceof Uint8Array ? stored : stored.buffer);
}

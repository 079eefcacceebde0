import { X509Certificate } from 'node:crypto';
import { Gauge } from 'prom-client';
import type { Logger } from '../../log/logger.ts';
import type { Metrics } from '../../metrics/metrics.ts';

const dayMs = 24 * 60 * 60 * 1000;
const warnBeforeMs = 7 * dayMs;

/** When the certificates of one file expire, in epoch milliseconds: the first of several. */
export type Expiry = { file: 'tls.crt' | 'ca.crt'; expiresAtMs: number };

/** @param pem one certificate or several, one after another */
export function firstExpiryMs(pem: Buffer): number {
  const certificates = pem
    .toString('latin1')
    .match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs);
  return Math.min(...(certificates ?? []).map((one) => Date.parse(new X509Certificate(one).validTo)));
}

/**
 * Warns of files that expire within seven days: call it at least once a day. It warns of each file once a day, and of a
 * new one at once.
 */
export function createExpiryWarnings(logger: Logger): (expiries: readonly Expiry[], nowMs: number) => void {
  const warned = new Map<Expiry['file'], { expiresAtMs: number; atMs: number }>();
  return (expiries, nowMs) => {
    for (const { file, expiresAtMs } of expiries) {
      if (expiresAtMs - nowMs > warnBeforeMs) continue;
      const last = warned.get(file);
      if (last?.expiresAtMs === expiresAtMs && nowMs - last.atMs < dayMs) continue;
      warned.set(file, { expiresAtMs, atMs: nowMs });
      const verb = expiresAtMs > nowMs ? 'expires soon' : 'has expired';
      const fields = { file, valid_until: new Date(expiresAtMs).toISOString() };
      logger.warn(fields, `a certificate in GRPC_TLS_DIR ${verb}: renew it`);
    }
  };
}

/** Registers the gauge, which reads the files in use when the metrics are scraped. */
export function watchExpiry({ registry }: Pick<Metrics, 'registry'>, read: () => readonly Expiry[]): void {
  new Gauge({
    name: 'shelfwise_tls_certificate_expiry_timestamp_seconds',
    help: 'When a certificate of GRPC_TLS_DIR expires, in seconds since 1970: tls.crt, and the first one in ca.crt',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      for (const { file, expiresAtMs } of read()) this.set({ file }, expiresAtMs / 1000);
    },
  });
}

import { Gauge, type Registry } from 'prom-client';

/** Registers the gauges of the disk of an embedded database, which show the latest measurement. */
export function watchDisk(registry: Registry, read: () => { freeBytes: number; reserveBytes: number }): void {
  const registers = [registry];
  new Gauge({
    name: 'shelfwise_disk_free_bytes',
    help: 'Free space on the disk of the embedded database, in bytes',
    registers,
    collect() {
      this.set(read().freeBytes);
    },
  });
  new Gauge({
    name: 'shelfwise_disk_reserve_bytes',
    help: 'Below this much free space nothing is stored that can wait, in bytes',
    registers,
    collect() {
      this.set(read().reserveBytes);
    },
  });
}

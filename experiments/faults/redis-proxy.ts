/**
 * The proxy before Redis as a process of its own, because the load keeps this experiment's event loop busy. Argument: the port of
 * Redis. Sends its own port, then takes faults as messages.
 */
import { type Faults, startFaultProxy } from '../../testing/fault-proxy.ts';

const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.on('message', (faults: Partial<Faults>) => void Object.assign(proxy.faults, faults));
process.once('disconnect', () => void proxy.stop().then(() => process.exit(0)));
process.send?.(proxy.port);

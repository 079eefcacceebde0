import { startEngine } from '@shelfwise/embedded/start-engine';
import { notifySchema } from '@shelfwise/notify/schema';
import { createNotifyServer } from '@shelfwise/notify/server';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { prepareDatabase } from '@shelfwise/runtime/mongo/schema/prepare-database';
import { createSecretBox } from '@shelfwise/runtime/secrets/secret-box';
import type { FakeReceivers } from '../../services/notify/test/fake-receivers.ts';
import { withContext } from '../../testing/call-within.ts';
import type { ManualClock } from '../../testing/manual-clock.ts';
import { createRecordingBus } from '../../testing/recording-bus.ts';
import { createCleanup } from './cleanup.ts';

/** Copies of notify in this process on one new database, each with a bus that delivers what the experiment says. */
export async function startNotifyCopies(options: {
  count: number;
  dataDir: string;
  clock: ManualClock;
  receivers: FakeReceivers;
}) {
  const { count, dataDir, clock, receivers } = options;
  const cleanup = createCleanup();
  const logger = createLogger({ name: 'copies', level: 'error', destination: process.stderr });
  const engine = await startEngine({ dataDir });
  cleanup.add(() => engine.stop());
  const copies = [];
  let isStopping = false;
  for (let copy = 0; copy < count; copy++) {
    const connection = await connectMongo({
      uri: engine.mongodbUri,
      database: notifySchema.database,
      logger,
    });
    cleanup.add(() => connection.close());
    if (copy === 0) {
      notifySchema.createModels(connection);
      await prepareDatabase(connection, notifySchema);
    }
    const bus = createRecordingBus();
    const server = createNotifyServer({
      connection,
      isDatabaseEmbedded: true,
      bus,
      logger,
      metrics: createMetrics(),
      secretBox: createSecretBox([Buffer.alloc(32, 7)]),
      target: { allowPrivate: false },
      mail: ['SMTP_URL'],
      post: receivers.post,
      now: clock.now,
      sleep: (ms, signal) => (isStopping ? Promise.resolve() : clock.sleep(ms, signal)),
      listenAddress: null,
    });
    await server.start();
    cleanup.add(() => server.stop());
    const { client, close } = createGrpcClient({
      service: NotifyServiceService,
      name: 'notify',
      address: server.inProcess,
    });
    cleanup.add(async () => close());
    copies.push({ client: withContext(client), bus });
  }
  return {
    copies,
    async stop(): Promise<void> {
      isStopping = true;
      await cleanup.run();
    },
  };
}

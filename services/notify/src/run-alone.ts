import { createSecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { runService, type ServiceHost } from '@shelfwise/runtime/service/run-service';
import { notifyConfig, notifyDatabase } from './config.ts';
import { toMailSettings } from './mail-settings.ts';
import { createNotifyServer } from './server.ts';

/** Runs the service in a process of its own, `process` outside of tests. */
export function runAlone(host: ServiceHost): Promise<void> {
  return runService(host, {
    name: 'notify',
    config: notifyConfig,
    database: notifyDatabase,
    create({ settings, bus, onStop: _, ...deps }) {
      const service = createNotifyServer({
        ...deps,
        bus,
        secretBox: settings.SECRETS_KEY ? createSecretBox(settings.SECRETS_KEY) : null,
        mail: toMailSettings(settings),
        target: { allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE },
        listenAddress: settings.GRPC_ADDRESS,
        hasReflection: true,
      });
      return {
        service,
        listensOn: () =>
          `${service.address()}; ${bus ? 'events on Kafka' : 'no event bus: it receives no events and publishes no alerts'}`,
      };
    },
  });
}

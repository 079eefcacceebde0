import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { booleanSetting } from '@shelfwise/runtime/process/config';
import { secretsKeySetting } from '@shelfwise/runtime/secrets/secrets-key';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';
import { mailSettings } from './mail-settings.ts';

/** The service's own database; no other service reads it. */
export const notifyDatabase = 'shelfwise_notify';

/** Settings of the notify service, alone and in the all-in-one start. */
export const notifySettings = {
  /** Encrypts the addresses and secrets of channels. Absent: alone there are no channels, all-in-one has a key in its folder. */
  SECRETS_KEY: secretsKeySetting.optional(),
  /** Whether channels may have addresses of the operator's own network. */
  WEBHOOK_ALLOW_PRIVATE: booleanSetting.default(false),
  ...mailSettings,
};

/** Settings of the notify service when it runs in its own process. */
export const notifyConfig = z.object({
  ...processSettings,
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50056'),
  ...kafkaSettings,
  ...notifySettings,
});

import { routes } from '../../../gateway/src/routes/index.ts';
import { endpoints } from './endpoints.ts';

// The command line imports nothing of the gateway: what it repeats is compared here.
test.each(Object.entries(endpoints))('%s is as the gateway has it', (operationId, endpoint) => {
  const route = routes.find((one) => one.operationId === operationId);
  const { method, path, deadlineMs, hasCsv } = endpoint;
  expect({ method, path, deadlineMs, hasCsv }).toEqual({
    method: route?.method.toUpperCase(),
    path: route?.path,
    deadlineMs: route?.deadlineMs,
    hasCsv: route?.csv !== undefined,
  });
});

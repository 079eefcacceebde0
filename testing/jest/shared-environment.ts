import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Config = { projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] };

/**
 * The environment of tests that share the modules of their process: no context of its own, see `run-with-shared-modules`.
 * What jest's runtime changes in the globals (`process.getBuiltinModule`, `process.exit`) it changes in an object that
 * nothing reads.
 */
export default class SharedEnvironment {
  readonly global = { console, process: {} };
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;

  constructor({ projectConfig }: Config) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
  }

  getVmContext(): null {
    return null;
  }
}

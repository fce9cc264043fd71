import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { keepProcess } from './keep-process.js';

/** Lets suites run in the process itself, one after the other, where what they load can be used again. */
export default class SharedProcessEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern;
  moduleMocker = new ModuleMocker(globalThis);
  #restoreProcess = keepProcess();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    this.#restoreProcess();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** There is none: this process is the context. */
  getVmContext() {
    return null;
  }
}

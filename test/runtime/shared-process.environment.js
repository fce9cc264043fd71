import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { keepProcess, keepProperties } from './keep-process.js';

/** Lets suites run in the process itself, one after the other, where what they load can be used again. */
export default class SharedProcessEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern;
  moduleMocker = new ModuleMocker(globalThis);
  #restorations = [keepProcess()];

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Remembers the properties of objects that suites share until this one is over. */
  keep(objects) {
    this.#restorations.push(...objects.map(keepProperties));
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    // A spy gives back what it found, which may have been of a clock that is gone: properties come after it.
    this.moduleMocker.restoreAllMocks();
    for (const restore of this.#restorations.toReversed()) restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** There is none: this process is the context. */
  getVmContext() {
    return null;
  }
}

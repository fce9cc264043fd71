import type { ExtensionHandle } from '../../dispatch/extension.interface.js';

/** The handle of the tasks extension, available once it is registered. */
export class ExtensionLink {
  #handle: ExtensionHandle | undefined;

  get handle(): ExtensionHandle {
    if (this.#handle !== undefined) return this.#handle;
    throw new TypeError('The tasks extension is not registered: set the option "tasks"');
  }

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  open(handle: ExtensionHandle): void {
    this.#handle = handle;
  }
}

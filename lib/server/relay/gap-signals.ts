import { Signal } from './signal.js';

/** Tells that entries of the log are lost: before any later message, and after the entries that arrived with them. */
export class GapSignals {
  readonly early = new Signal();
  readonly late = new Signal();

  tell(): void {
    this.early.tell();
    queueMicrotask(() => this.late.tell());
  }
}

import { Logger } from '../../../core/logger/logger.js';
import type { LogSubject } from '../../log/format-line.js';
import { logFailure } from '../../log/log-failure.js';
import type { VisibleHandler } from '../../settings/visibility.interface.js';

/** How long the same failure of a handler is not told again: each list may fail for each handler. */
const PERIOD_MS = 60_000;

const KINDS: Readonly<Record<VisibleHandler['kind'], string>> = {
  tool: 'tool',
  resource: 'resource',
  resourceTemplate: 'resource template',
  prompt: 'prompt',
};

/** Logs that a handler is hidden, because the check of who sees it failed. */
export class VisibilityLog {
  readonly #logger = new Logger('Mcp');
  readonly #toldAt = new WeakMap<VisibleHandler, number>();

  tell(handler: VisibleHandler, failure: unknown, subject: LogSubject): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(handler) ?? -Infinity) < PERIOD_MS) return;
    this.#toldAt.set(handler, now);
    const { kind, name } = handler;
    const what = `The ${KINDS[kind]} "${name}" is hidden, because the check of who sees it failed`;
    logFailure(this.#logger, what, { failure, subject });
  }
}

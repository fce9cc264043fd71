import { Logger } from '../../../core/logger/logger.js';
import { formatLine } from '../../log/format-line.js';
import type { ScopedCall, ScopeFunction } from '../../settings/scoped-call.interface.js';
import { formatScoped } from './format-scoped.js';

/** The pause between two log lines about the same function, because any caller can cause them. */
const PERIOD_MS = 60_000;

const logger = new Logger('Mcp');
const toldAt = new WeakMap<ScopeFunction, number>();

/** Logs that a function returned a text that is not a scope. The fault is in the function or in its arguments. */
export function logUnusableScope(ask: ScopeFunction, call: ScopedCall): void {
  const now = performance.now();
  if (now - (toldAt.get(ask) ?? -Infinity) < PERIOD_MS) return;
  toldAt.set(ask, now);
  const line = `A call was refused: the function in "RequireScope" of the ${formatScoped(call)} gave a text that is no scope`;
  logger.warn(formatLine(line, call.context));
}

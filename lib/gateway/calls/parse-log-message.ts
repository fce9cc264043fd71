import { escapeText } from '../../core/log/escape-text.js';
import { isLogLevel } from '../../core/protocol/log-level.js';

const LONGEST_LOGGER = 100;

/** Parses the parameters of a log notification. Returns `undefined` if they are invalid. */
export function parseLogMessage({ level, data, logger }: { readonly [name: string]: unknown }) {
  if (!isLogLevel(level) || data === undefined) return undefined;
  return { level, data, logger: typeof logger === 'string' ? escapeText(logger, LONGEST_LOGGER) : undefined };
}

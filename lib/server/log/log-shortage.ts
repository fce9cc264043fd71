import { Logger } from '../../core/logger/logger.js';
import type { AuthError } from '../../core/oauth/auth.error.js';
import { findShortage } from '../../core/oauth/scope-shortage.js';
import { formatLine, type LogSubject } from './format-line.js';

const logger = new Logger('McpAuth');

const LONGEST = 200;

/** Tells the log, at level `debug`, of a request that was refused because its token does not allow enough. */
export function logShortage(refusal: AuthError, subject: LogSubject): void {
  const shortage = findShortage(refusal);
  // A caller without a token lacks all of them.
  if (shortage === undefined || refusal.code === 401) return;
  const { needed, held } = shortage;
  const line = `A request was refused: its token has ${format(held)}, expected ${format(needed)}`;
  logger.debug(formatLine(line, subject));
}

function format(scopes: readonly string[]): string {
  return scopes.length === 0
    ? 'no scopes'
    : `the scopes ${JSON.stringify(scopes.join(' ').slice(0, LONGEST))}`;
}

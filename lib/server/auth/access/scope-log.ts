import { Logger } from '@nestjs/common';
import type { ScopeShortage } from '../../../core/oauth/challenges.js';
import { quoteValue } from '../quote-value.js';

/** Creates what tells the log, at level `debug`, of tokens that do not allow enough. */
export function createScopeLog(): (shortage: ScopeShortage) => void {
  const logger = new Logger('McpAuth');
  return ({ needed, held }) => {
    logger.debug(`A request was refused: its token has ${format(held)}, expected ${format(needed)}`);
  };
}

function format(scopes: readonly string[]): string {
  return scopes.length === 0 ? 'no scopes' : `the scopes ${quoteValue(scopes.join(' '))}`;
}

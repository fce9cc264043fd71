import { assertOptions } from '../../../lib/server/settings/mcp-options.js';
import { McpConfigurationError } from '../../../lib/server/settings/mcp-configuration.error.js';
import { SERVER_INFO } from './settings.js';

/** Gives what is said of options, beside what every server must have, that are wrong. */
export function catchFault(options: object): McpConfigurationError {
  try {
    assertOptions({ serverInfo: SERVER_INFO, ...options });
  } catch (error) {
    if (error instanceof McpConfigurationError) return error;
    throw error;
  }
  throw new Error('Expected the options to be refused');
}

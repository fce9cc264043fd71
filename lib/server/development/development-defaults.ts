import { deriveSessionSecret, findDevConnection } from '../../core/development/dev-connection.js';
import type { McpOptions } from '../settings/mcp-options.js';
import { onlyGiven } from '../settings/only-given.js';

/**
 * Adds defaults that keep clients connected while `nestjs-mcp-cli dev` restarts the application. Sessions continue,
 * and a capability is declared before its first entry exists. The application's options take precedence. Without
 * `dev`, and for processes that share their sessions, the options are unchanged.
 */
export function withDevelopmentDefaults(
  options: McpOptions,
  environment: NodeJS.ProcessEnv = process.env,
): McpOptions {
  const invitation = findDevConnection(environment);
  if (invitation === undefined || options.cluster !== undefined) return options;
  const areas = { tools: true, prompts: true, resources: true };
  const declaring = { ...options, capabilities: { ...areas, ...onlyGiven(options.capabilities) } };
  if (options.stateless === true) return declaring;
  return {
    ...declaring,
    secret: options.secret ?? deriveSessionSecret(invitation),
    sessions: { recover: true, ...onlyGiven(options.sessions) },
  };
}

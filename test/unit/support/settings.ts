import type { McpOptions } from '../../../lib/server/settings/mcp-options.js';
import { buildServerSettings, type ServerSettings } from '../../../lib/server/settings/server-settings.js';

export const SERVER_INFO = { name: 'desk', version: '1.0.0' };

/** Builds the settings of a server; what a test does not name is as documented. */
export function buildSettings(options: Partial<McpOptions> = {}): ServerSettings {
  return buildServerSettings({ serverInfo: SERVER_INFO, ...options });
}

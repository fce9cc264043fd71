import type { Transport } from '@modelcontextprotocol/client';
import { Logger } from '../../../core/logger/logger.js';
import { Telemetry } from '../../../core/telemetry/telemetry.js';
import { McpClientConfigurationError } from '../errors.js';
import type { ClientSettings } from '../options/client-settings.js';
import { ClientOperations, type ServerPlace } from './client-operations.js';

/**
 * Loads what follows the operations of a client. Returns `undefined` if nothing is to be recorded.
 *
 * @throws {McpClientConfigurationError} if `@opentelemetry/api` is needed and not installed
 */
export async function loadClientOperations(
  { name, telemetry, server }: ClientSettings,
  transport: Transport,
): Promise<ClientOperations | undefined> {
  if (telemetry === undefined) return undefined;
  const explain = (expected: string, cause: unknown): Error =>
    new McpClientConfigurationError(`clients.${name}.telemetry.tracerProvider`, expected, { cause });
  return new ClientOperations(
    await Telemetry.load('client', telemetry, { explain, logger: new Logger('McpClient') }),
    transport,
    'url' in server ? describeUrl(server.url) : { network: { transport: 'pipe' } },
  );
}

function describeUrl(url: string): ServerPlace {
  const { hostname: address, port, protocol } = new URL(url);
  const assumed = protocol === 'https:' ? 443 : 80;
  const server = { address, port: port === '' ? assumed : Number(port) };
  return { network: { transport: 'tcp', protocolName: 'http' }, server };
}

import type { INestApplicationContext } from '@nestjs/common';
import type { CardInput } from '../../../settings/server-card-options.js';
import { findDescription } from './build-server-card.js';
import { ServerCardSource } from './server-card-source.js';
import type { ServerCard } from './server-card.interface.js';

/** The description of a server for clients that have not connected yet. */
export interface ServerDescription {
  /** The key of the server in its application. */
  readonly server: string;
  readonly card: ServerCard;
  /** Whether the application serves the card. */
  readonly isServed: boolean;
  /** Whether the name in reverse-DNS form comes from the settings. Otherwise it comes from the host. */
  readonly isNamed: boolean;
  /** What the server does, even if the text is too long for the card. */
  readonly description: string;
  /** The environment variables of its process. */
  readonly environmentVariables: readonly CardInput[];
}

/**
 * Describes the servers of an application, as `nestjs-mcp-cli card` and `nestjs-mcp-cli server-json` do. It does not call,
 * start or send anything.
 *
 * @throws {RangeError} if the application has no server of this package
 * @example
 * const [{ card }] = describeServers(await createApp());
 * await writeFile('server-card.json', JSON.stringify(card));
 */
export function describeServers(app: INestApplicationContext): readonly ServerDescription[] {
  const sources = findSources(app);
  if (sources.length === 0) throw new RangeError('The application has no server: it imports no "McpModule"');
  return sources.map(({ identity, settings, card, isServed }) => ({
    server: identity.server,
    card,
    isServed,
    isNamed: [settings.serverCard?.name, settings.serverInfo.name].includes(card.name),
    description: findDescription(settings),
    environmentVariables: settings.serverCard?.environmentVariables ?? [],
  }));
}

/** Nest throws if nothing is found. */
function findSources(app: INestApplicationContext): readonly ServerCardSource[] {
  try {
    return app.get(ServerCardSource, { strict: false, each: true });
  } catch {
    return [];
  }
}

import { fail } from '../../core/checks/option-checks.js';
import { IoredisLink } from './ioredis-link.js';
import { NodeRedisLink } from './node-redis-link.js';
import type { IoredisClient, NodeRedisClient, RedisClient } from './redis-client.interface.js';
import type { RedisLink } from './redis-link.interface.js';

const CLIENTS = 'must be a client of "ioredis" 5 or later, or of "redis" 5 or later';

/**
 * Opens a link to the client of the application.
 *
 * @throws {OptionError} if the value is no client, or the client cannot be used
 */
export function openLink(option: string, client: unknown): RedisLink {
  if (typeof client !== 'object' || client === null) fail(option, CLIENTS);
  const { mode, monitor } = client as { readonly mode?: unknown; readonly monitor?: unknown };
  if (isIoredis(client)) {
    if (mode === 'subscriber' || mode === 'monitor') {
      fail(option, 'must be a client that sends commands: this one has subscribed, or watches commands');
    }
    return new IoredisLink(client);
  }
  if (isNodeRedis(client)) return new NodeRedisLink(client);
  if ('execute' in client && typeof monitor !== 'function') {
    fail(option, `${CLIENTS}: give a client instead of a pool, it needs connections of its own`);
  }
  if ('acquire' in client) fail(option, `${CLIENTS}; a client of Sentinel must be of "redis" 6 or later`);
  fail(option, CLIENTS);
}

function isIoredis(client: object): client is IoredisClient {
  return 'status' in client && hasMethods(client, ['call', 'duplicate', 'disconnect', 'on', 'off']);
}

function isNodeRedis(client: object): client is NodeRedisClient {
  const names = ['sendCommand', 'duplicate', 'connect', 'destroy', 'on', 'off'];
  return 'isOpen' in client && hasMethods(client, names);
}

function hasMethods(client: object, names: readonly string[]): boolean {
  return names.every((name) => typeof (client as Readonly<Record<string, unknown>>)[name] === 'function');
}

/** Says why a client cannot be used in its present state, as far as that shows before a command is sent. */
export function findFault(client: RedisClient, link: RedisLink): string | undefined {
  if (link.isClosed) {
    const why = link.failure === undefined ? '' : `; it failed with "${link.failure.text}"`;
    return `must be connected and not closed: await "client.connect()" before the application starts${why}`;
  }
  const { isPubSubActive, options } = client as {
    readonly isPubSubActive?: boolean;
    readonly options?: { readonly RESP?: number };
  };
  if (isPubSubActive === true && options?.RESP !== 3) {
    return 'must be a client that sends commands: this one has subscribed';
  }
  return undefined;
}

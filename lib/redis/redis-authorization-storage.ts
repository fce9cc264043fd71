import { asserting } from '../core/checks/option-checks.js';
import type { AuthorizationStorage } from '../core/oauth/authorization-storage.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { openLink } from './clients/open-link.js';
import { PrimaryLink } from './clients/primary-link.js';
import { readString, RedisCommands } from './commands/redis-commands.js';
import { RedisScript } from './scripts/redis-script.js';
import {
  REDIS_AUTHORIZATION_STORAGE,
  type RedisAuthorizationStorageOptions,
} from './settings/redis-options.js';

const GET = new RedisScript("return redis.call('GET', KEYS[1])", ['string']);
const SET = new RedisScript("return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])", ['string']);
const ADD = new RedisScript("return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX')", ['string']);
const TAKE = new RedisScript(
  "local value = redis.call('GET', KEYS[1]) redis.call('DEL', KEYS[1]) return value",
  ['string'],
);

const INCREMENT = new RedisScript(
  "local count = redis.call('INCR', KEYS[1]) if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end return count .. ' ' .. redis.call('TTL', KEYS[1])",
  ['string'],
);

/**
 * Stores the data that an authorization server's processes share, in Redis 6.2 or later, Valkey or Redis Cluster. All
 * data is sealed with the authorization server's `secret` before it arrives here.
 *
 * @throws {McpConfigurationError} if an option is invalid; the error names the first one
 * @example
 * const client = new Redis(process.env.REDIS_URL);
 * McpAuthorizationServerModule.forRoot({ ..., storage: redisAuthorizationStorage({ client }) })
 */
export function redisAuthorizationStorage(options: RedisAuthorizationStorageOptions): AuthorizationStorage {
  asserting(McpConfigurationError, () =>
    REDIS_AUTHORIZATION_STORAGE.check('redisAuthorizationStorage', options),
  );
  const { client, prefix, commandTimeoutMs } = REDIS_AUTHORIZATION_STORAGE.build(options);
  const link = new PrimaryLink(openLink('client', client));
  const commands = new RedisCommands(link, commandTimeoutMs, () => undefined);
  const run = (script: RedisScript, key: string, values: readonly string[] = []): Promise<unknown> =>
    commands.run(script, [`${prefix}:authorization:${key}`], values);
  return {
    get: async (key) => readString(await run(GET, key)),
    set: async (key, value, seconds) => void (await run(SET, key, [value, `${seconds}`])),
    add: async (key, value, seconds) => readString(await run(ADD, key, [value, `${seconds}`])) !== undefined,
    take: async (key) => readString(await run(TAKE, key)),
    increment: async (key, seconds) => {
      const [count, expiresInSeconds] = String(await run(INCREMENT, key, [`${seconds}`])).split(' ');
      return { count: Number(count), expiresInSeconds: Number(expiresInSeconds) };
    },
  };
}

import { Logger } from '../../core/logger/logger.js';
import type { RedisLink } from '../clients/redis-link.js';

const POLICY = /^maxmemory_policy:([\w-]+)/m;

/** The connections that were looked at. */
const SEEN = new WeakSet<RedisLink>();

/**
 * Warns once for a connection if Redis may remove keys that have not expired. A user who may not run `INFO` is not told. It
 * never rejects.
 *
 * @param key one of the keys that are used, which leads to its node of a cluster
 */
export async function warnOfEviction(link: RedisLink, key: string): Promise<void> {
  if (SEEN.has(link)) return;
  SEEN.add(link);
  const info = await link.send(key, ['INFO', 'memory']).catch(() => undefined);
  const [, policy = 'noeviction'] = POLICY.exec(String(info)) ?? [];
  if (policy === 'noeviction') return;
  new Logger('McpRedis').warn(
    `Redis removes keys when its memory is full, by "maxmemory-policy" "${policy}": set it to "noeviction", or messages, sessions and tasks get lost`,
  );
}

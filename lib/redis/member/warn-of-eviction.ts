import { Logger } from '../../core/logger/logger.js';
import type { RedisLink } from '../clients/redis-link.js';

const POLICY = /^maxmemory_policy:([\w-]+)/m;

/** The connections that were already checked. */
const SEEN = new WeakSet<RedisLink>();

/**
 * Warns once per connection if Redis may evict keys that have not expired. Without permission for `INFO`, it does nothing. It never rejects.
 *
 * @param key one of the used keys, which selects the cluster node
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

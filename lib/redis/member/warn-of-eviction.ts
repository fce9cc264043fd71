import { Logger } from '../../core/logger/logger.js';
import type { RedisLink } from '../clients/redis-link.js';

const POLICY = /^maxmemory_policy:([\w-]+)/m;

/** The connections that were already checked. */
const SEEN = new WeakSet<RedisLink>();

/**
 * Warns once per connection if Redis may evict keys that have not expired. Without permission for `INFO`, it does nothing. It never rejects.
 *
 * @param key any key in use; it selects the cluster node
 */
export async function warnOfEviction(link: RedisLink, key: string): Promise<void> {
  if (SEEN.has(link)) return;
  SEEN.add(link);
  const info = await link.send(key, ['INFO', 'memory']).catch(() => undefined);
  const [, policy = 'noeviction'] = POLICY.exec(String(info)) ?? [];
  if (policy === 'noeviction') return;
  new Logger('McpRedis').warn(
    `Redis evicts keys when its memory is full, because "maxmemory-policy" is "${policy}": set it to "noeviction", or messages, sessions and tasks may be lost`,
  );
}

import { QUOTA } from '../quota/quota.js';
import { RedisScript } from '../scripts/redis-script.js';

/** All times are on the Redis clock, because processes' clocks may differ. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function format(number) return string.format('%.0f', number) end
`;

/**
 * Removes other programs' entries from a list that is being read, because clients would decode them differently and no
 * later command could name them.
 */
const DROP_FOREIGN = `
local function dropForeign(list)
  while true do
    local found, isWhole = list(), true
    for _, member in ipairs(found) do
      if string.find(member, '[^ -~]') and redis.call('ZREM', KEYS[1], member) == 1 then isWhole = false end
    end
    if isWhole then return found end
  end
end
`;

/**
 * Writes a task if the stored version is the expected one, and it fits the owner's quota. `KEYS` contains the task, the
 * open tasks, all tasks, the list and the owner's quota. The changes follow if there are watchers.
 *
 * `ARGV` contains the expected and the new version, and how long the task is retained until its expiry and after it.
 * Whether it is open, its id, position and name, and the task itself follow. The last ones are its bytes and share,
 * and three limits: the bytes of the share and of the quota, and the share's tasks.
 *
 * Returns `stale` if another version is stored, and `large` if it can never fit. Returns `full` if others must be
 * evicted first, with the seconds until the next task ends, and their names. Otherwise returns `kept`, with the names
 * of surplus tasks.
 */
export const WRITE = new RedisScript(
  `${NOW}${QUOTA}
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return { 'stale' } end
local name, isOpen = ARGV[8], ARGV[5] == '1'
local bytes, share = tonumber(ARGV[10]), ARGV[11]
local mostOfShare, mostOfAll, most = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
local owned = quota(5)
local spare = owned.judge(name, bytes, share, mostOfShare, mostOfAll)
if spare then
  if bytes > math.min(mostOfShare, mostOfAll) then return { 'large' } end
  return { 'full', format(owned.findEnd()), unpack(spare) }
end
local expires = now + tonumber(ARGV[3])
local last = expires + tonumber(ARGV[4])
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'expires', format(expires), 'task', ARGV[9])
redis.call('PEXPIREAT', KEYS[1], format(last))
if isOpen then
  redis.call('ZADD', KEYS[2], format(expires), ARGV[6])
else
  redis.call('ZREM', KEYS[2], ARGV[6])
end
redis.call('ZADD', KEYS[3], format(expires), name)
redis.call('ZADD', KEYS[4], 0, ARGV[7])
for index = 2, 4 do outlast(KEYS[index], last) end
owned.put(name, bytes, share, not isOpen and now, last)
if KEYS[10] then
  local function add(call) return call('XADD', KEYS[10], 'MAXLEN', '~', 10000, '*', 't', ARGV[6]) end
  local added = add(redis.pcall)
  if type(added) == 'table' and added.err then
    if string.find(added.err, 'stream', 1, true) then redis.call('DEL', KEYS[10]) end
    add(redis.call)
  end
  redis.call('PEXPIRE', KEYS[10], 3600000)
end
return { 'kept', unpack(owned.listSurplus(name, most)) }
`,
  ['hash', 'zset', 'zset', 'zset', 'counted', 'counted', 'counted', 'counted', 'counted', 'stream'],
);

/** Returns tasks, the milliseconds until each of them expires, and the version that {@link WRITE} compares. */
export const READ = new RedisScript(
  `${NOW}
local found = {}
for index, key in ipairs(KEYS) do
  local fields = redis.call('HMGET', key, 'task', 'expires', 'version')
  local expires = tonumber(fields[2] or nil)
  found[3 * index - 2] = fields[1] or ''
  found[3 * index - 1] = expires and format(expires - now) or ''
  found[3 * index] = fields[3] or ''
end
return found
`,
  ['hash'],
);

/**
 * Returns a list's positions after one of them. `ARGV` contains that position, and the maximum number of positions to
 * return.
 */
export const LIST = new RedisScript(
  `${DROP_FOREIGN}
return dropForeign(function() return redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2]) end)
`,
  ['zset'],
);

/** Returns the ids of the tasks that are not finished. */
export const LIST_OPEN = new RedisScript(
  `${DROP_FOREIGN}
return dropForeign(function() return redis.call('ZRANGE', KEYS[1], 0, -1) end)
`,
  ['zset'],
);

/** Removes ids from the tasks that are not finished. */
export const FORGET_OPEN = new RedisScript(
  `
for _, id in ipairs(ARGV) do redis.call('ZREM', KEYS[1], id) end
return #ARGV
`,
  ['zset'],
);

/**
 * Returns the names of expired tasks. `ARGV` contains the time at which they expired, in milliseconds from now, and
 * the maximum number of names to return.
 */
export const LIST_EXPIRED = new RedisScript(
  `${NOW}${DROP_FOREIGN}
local last = '(' .. format(now + tonumber(ARGV[1]))
return dropForeign(function() return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', last, 'LIMIT', 0, ARGV[2]) end)
`,
  ['zset'],
);

/**
 * Removes a task, unless it expires after a time, in milliseconds from now. `KEYS` contains the task, the open tasks,
 * all tasks and the list, and the quotas that may count it.
 */
export const REMOVE = new RedisScript(
  `${NOW}${QUOTA}
local expires = redis.call('ZSCORE', KEYS[3], ARGV[4])
if ARGV[1] ~= '' and expires and tonumber(expires) >= now + tonumber(ARGV[1]) then return 0 end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[4])
redis.call('ZREM', KEYS[4], ARGV[3])
for at = 5, #KEYS, 5 do quota(at).remove(ARGV[4]) end
return redis.call('DEL', KEYS[1])
`,
  ['hash', 'zset', 'zset', 'zset', 'counted'],
);

/**
 * The maximum number of milliseconds for which a process can be considered alive. Entries beyond that were written by
 * another program.
 */
const LONGEST_AHEAD_MS = 3_600_000;

/**
 * Records how long a process is considered alive, and removes dead processes. Returns whether the process was
 * considered alive until now.
 */
export const RENEW_WORKER = new RedisScript(
  `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. format(now))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. format(now + math.max(tonumber(ARGV[2]), ${LONGEST_AHEAD_MS})), '+inf')
local added = redis.call('ZADD', KEYS[1], format(now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[1], format(tonumber(ARGV[2]) + 60000))
return 1 - added
`,
  ['zset'],
);

/** Returns the processes that will still be alive a number of milliseconds from now, each with its remaining milliseconds. */
export const LIST_WORKERS = new RedisScript(
  `${NOW}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], format(now + tonumber(ARGV[1])), '+inf', 'WITHSCORES')
for index = 2, #found, 2 do found[index] = format(tonumber(found[index]) - now) end
return found
`,
  ['zset'],
);

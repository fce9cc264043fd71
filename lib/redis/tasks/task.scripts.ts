import { RedisScript } from '../scripts/redis-script.js';

/** All times are by the clock of Redis, because the clocks of processes may differ. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function format(number) return string.format('%.0f', number) end
`;

/** Removes what no process has written from a list that is being read: clients would change it, so that nobody could name it again. */
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
 * Writes a task if the stored version is the expected one. `KEYS` has the task, the open tasks, all tasks and the list, and
 * the changes if there are watchers. `ARGV` has the expected and the new version, and how long the task is kept until its
 * expiry and after it. Then come whether it is open, its id, place and name, and the task itself. Returns the length of the
 * list, or -1 if another version is stored.
 */
export const WRITE = new RedisScript(
  `${NOW}
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return -1 end
local expires = now + tonumber(ARGV[3])
local last = expires + tonumber(ARGV[4])
local function keep(key)
  local left = redis.call('PTTL', key)
  if left < 0 or now + left < last then redis.call('PEXPIREAT', key, format(last)) end
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'expires', format(expires), 'task', ARGV[9])
redis.call('PEXPIREAT', KEYS[1], format(last))
if ARGV[5] == '1' then
  redis.call('ZADD', KEYS[2], format(expires), ARGV[6])
  keep(KEYS[2])
else
  redis.call('ZREM', KEYS[2], ARGV[6])
end
redis.call('ZADD', KEYS[3], format(expires), ARGV[8])
keep(KEYS[3])
redis.call('ZADD', KEYS[4], 0, ARGV[7])
keep(KEYS[4])
if KEYS[5] then
  local function add(call) return call('XADD', KEYS[5], 'MAXLEN', '~', 10000, '*', 't', ARGV[6]) end
  local added = add(redis.pcall)
  if type(added) == 'table' and added.err then
    if string.find(added.err, 'stream', 1, true) then redis.call('DEL', KEYS[5]) end
    add(redis.call)
  end
  redis.call('PEXPIRE', KEYS[5], 3600000)
end
return redis.call('ZCARD', KEYS[4])
`,
  ['hash', 'zset', 'zset', 'zset', 'stream'],
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

/** Returns the places of a list after one of them. `ARGV` has that place, and the most places to return. */
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

/** Returns the names of expired tasks. `ARGV` has the time by which they expired, in milliseconds from now, and the most names to return. */
export const LIST_EXPIRED = new RedisScript(
  `${NOW}${DROP_FOREIGN}
local last = '(' .. format(now + tonumber(ARGV[1]))
return dropForeign(function() return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', last, 'LIMIT', 0, ARGV[2]) end)
`,
  ['zset'],
);

/** Removes a task, unless it expires after a time, in milliseconds from now. `KEYS` has the task, the open tasks, all tasks and the list. */
export const REMOVE = new RedisScript(
  `${NOW}
local expires = redis.call('ZSCORE', KEYS[3], ARGV[4])
if ARGV[1] ~= '' and expires and tonumber(expires) >= now + tonumber(ARGV[1]) then return 0 end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[4])
redis.call('ZREM', KEYS[4], ARGV[3])
return redis.call('DEL', KEYS[1])
`,
  ['hash', 'zset', 'zset', 'zset'],
);

/** Milliseconds ahead of now by which no process counts as alive: somebody else has written what lies behind. */
const LONGEST_AHEAD_MS = 3_600_000;

/** Notes how long a process counts as alive, and removes the processes that no longer do. */
export const RENEW_HOLDER = new RedisScript(
  `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. format(now))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. format(now + math.max(tonumber(ARGV[2]), ${LONGEST_AHEAD_MS})), '+inf')
redis.call('ZADD', KEYS[1], format(now + tonumber(ARGV[2])), ARGV[1])
redis.call('PEXPIRE', KEYS[1], format(tonumber(ARGV[2]) + 60000))
return 1
`,
  ['zset'],
);

/** Returns the processes that are alive at a time, in milliseconds from now, each with the milliseconds until it no longer is. */
export const LIST_HOLDERS = new RedisScript(
  `${NOW}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], format(now + tonumber(ARGV[1])), '+inf', 'WITHSCORES')
for index = 2, #found, 2 do found[index] = format(tonumber(found[index]) - now) end
return found
`,
  ['zset'],
);

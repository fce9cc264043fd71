import { RedisScript } from './redis-script.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** The maximum size of the sent messages to retain. A busy process reads them late. */
const MOST_KILOBYTES = 32 * 1024;

/** Returns the living processes. */
export const MEMBERS = new RedisScript(
  `${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], string.format('%.0f', now), '+inf')
`,
  ['zset'],
);

/**
 * Returns whether Redis has a process's heartbeat. `ARGV` contains the process, and the time when it would be
 * considered dead after that heartbeat. The script also writes, which a replica refuses. Without the heartbeat it
 * writes nothing, because the database may belong to others.
 */
export const RECOGNIZE = new RedisScript(
  `
local ends = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not ends or tonumber(ends) + 1 < tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ends, ARGV[1])
return 1
`,
  ['zset'],
);

/** Removes a process, and the messages that it has not read. */
export const LEAVE = new RedisScript(
  `
redis.call('DEL', KEYS[2])
return redis.call('ZREM', KEYS[1], ARGV[1])
`,
  ['zset', 'stream'],
);

/**
 * Sends a message to one process or to all. `KEYS` contains the log's state, which also counts messages, the
 * processes, and the inbox. `ARGV` contains the message, and the process if it is for one. Returns how many live
 * processes will receive it. Message numbers count kilobytes, so they also limit the inbox size. If another program
 * has written a higher number, the inbox is reset.
 */
export const SEND = new RedisScript(
  `${NOW}
local takers
if ARGV[2] then
  local ends = redis.call('ZSCORE', KEYS[2], ARGV[2])
  takers = ends and tonumber(ends) >= now and 1 or 0
else
  takers = redis.call('ZCOUNT', KEYS[2], string.format('%.0f', now), '+inf')
end
if takers == 0 then return 0 end
local number = redis.call('HINCRBY', KEYS[1], 'i', math.floor(#ARGV[1] / 1024) + 1)
local oldest = string.format('%.0f', math.max(number - ${MOST_KILOBYTES}, 0))
local id = string.format('%.0f', number) .. '-0'
local function add(call) return call('XADD', KEYS[3], 'MINID', '~', oldest, id, 't', ARGV[1]) end
local added = add(redis.pcall)
if type(added) == 'table' and added.err then
  if string.find(added.err, 'stream', 1, true) then redis.call('DEL', KEYS[3]) end
  add(redis.call)
end
redis.call('PEXPIRE', KEYS[3], 60000)
return takers
`,
  ['hash', 'zset', 'stream'],
);

import { LOG_STATE } from './log-state.js';
import { RedisScript } from './redis-script.js';

/** Milliseconds ahead of now by which no process counts as alive: somebody else has written what lies behind. */
const LONGEST_AHEAD_MS = 3_600_000;

/** Milliseconds for which the log outlives the last process of its server. */
const KEEP_MS = 24 * 60 * 60_000;

/**
 * Notes that a process lives, and returns the state of the log. The third key has the living processes, by the clock of
 * Redis, and the inboxes of the process follow. An inbox with a message that was never sent is deleted. `ARGV` has the
 * process, and how long it counts as alive. As the first command of a connection, it has ten parts at most. If a
 * client without a password sends more, Redis closes the connection instead of answering `NOAUTH`.
 */
export const PULSE = new RedisScript(
  `${LOG_STATE}
redis.call('ZADD', KEYS[3], text(now + ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text(now - 60000))
redis.call('ZREMRANGEBYSCORE', KEYS[3], '(' .. text(now + math.max(ARGV[2], ${LONGEST_AHEAD_MS})), '+inf')
local sent = redis.call('HGET', KEYS[1], 'i')
for index = 4, #KEYS do
  if #redis.call('XRANGE', KEYS[index], text(tonumber(sent) + 1) .. '-0', '+', 'COUNT', 1) > 0 then
    redis.call('DEL', KEYS[index])
  end
end
local keep = ${KEEP_MS}
for index = 1, 3 do
  if redis.call('PTTL', KEYS[index]) < keep * 0.9 then redis.call('PEXPIRE', KEYS[index], keep) end
end
return { epoch, text(number), mark, sent, text(micros) }
`,
  ['hash', 'stream', 'zset', 'stream'],
);

/** Begins another log if the current one has lost entries that were read. `ARGV` has its epoch, and a number that readers wait at. */
export const RENEW = new RedisScript(
  `${LOG_STATE}
if epoch == ARGV[1] then begin(math.max(number, tonumber(ARGV[2]))) end
return epoch
`,
  ['hash', 'stream'],
);

/** Reads entries of a log. `ARGV` has its epoch, the number before the first entry, the first number, and the most entries to return. */
export const READ = new RedisScript(
  `
local state = redis.call('HMGET', KEYS[1], 'e', 'n')
local number = tonumber(state[2] or nil)
if state[1] ~= ARGV[1] or not number or number < tonumber(ARGV[2]) then return false end
local found = redis.call('XRANGE', KEYS[2], ARGV[3] .. '-0', '+', 'COUNT', ARGV[4])
if #found == 0 then
  if number > tonumber(ARGV[2]) then return false end
elseif found[1][1] ~= ARGV[3] .. '-0' then return false end
local entries = {}
for _, entry in ipairs(found) do
  for index = 1, #entry[2], 2 do
    if entry[2][index] == 't' then
      entries[#entries + 1] = entry[1]
      entries[#entries + 1] = entry[2][index + 1]
    end
  end
end
return entries
`,
  ['hash', 'stream'],
);

import { RedisScript } from './redis-script.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** What stays of messages that were sent: a process that is busy reads them late. */
const MOST_KILOBYTES = 32 * 1024;

/** Gives the processes that live. */
export const MEMBERS = new RedisScript(`${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], string.format('%.0f', now), '+inf')
`);

/** Takes a process away, with what it has not read. */
export const LEAVE = new RedisScript(`
redis.call('DEL', KEYS[2])
return redis.call('ZREM', KEYS[1], ARGV[1])
`);

/**
 * Leaves a message for a process, or for all. `KEYS` has the state of the log, which counts messages too, the processes, and where the messages are;
 * `ARGV` the message, and the process if there is one. It gives how many processes live to take it. Numbers count kilobytes, so that what is
 * left of earlier messages is bounded by them, however large one is.
 */
export const SEND = new RedisScript(`${NOW}
local takers
if ARGV[2] then
  local ends = redis.call('ZSCORE', KEYS[2], ARGV[2])
  takers = ends and tonumber(ends) >= now and 1 or 0
else
  takers = redis.call('ZCOUNT', KEYS[2], string.format('%.0f', now), '+inf')
end
if takers == 0 then return 0 end
local number = redis.call('HINCRBY', KEYS[1], 'i', math.floor(#ARGV[1] / 1024) + 1)
local oldest = string.format('%.0f', number - ${MOST_KILOBYTES})
redis.call('XADD', KEYS[3], 'MINID', '~', oldest, string.format('%.0f', number) .. '-0', 't', ARGV[1])
redis.call('PEXPIRE', KEYS[3], 60000)
return takers
`);

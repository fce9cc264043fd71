import { COUNTED_RECORD, QUOTA } from '../quota/quota.js';
import { RedisScript } from './redis-script.js';

/** Returns a record's fields with their values, as one list. */
export const FIND = new RedisScript(`return redis.call('HGETALL', KEYS[1])`, ['hash']);

/**
 * Changes a field if it has the expected value. `ARGV` contains the field, the record's expiry, and the milliseconds
 * until then. The expected and the new value follow, each as `1` and the value, or as `0` if there is none. The last
 * is the record's owner, whose quota follows its key. Returns the resulting value of the field, and the evicted
 * records.
 */
export const SWAP = new RedisScript(
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function format(number) return string.format('%.0f', number) end
${COUNTED_RECORD}
local key, field, current = KEYS[1], ARGV[1], redis.call('HGET', KEYS[1], ARGV[1])
local expected, at = false, 5
if ARGV[4] == '1' then expected, at = ARGV[5], 6 end
if current ~= expected then return { current } end
local record = openRecord(key)
if ARGV[at] == '1' then
  at, current = at + 1, ARGV[at + 1]
  record.set(field, current)
else
  current = false
  record.unset(field)
end
local last, left = math.max(tonumber(ARGV[2]), now + tonumber(ARGV[3])), redis.call('PTTL', key)
if left == -1 or (left >= 0 and now + left < last) then
  redis.call('PEXPIREAT', key, string.format('%.0f', last))
end
record.count(function() at = at + 1; return ARGV[at] end, 2)
return { current, unpack(surplus) }
`,
  ['hash', 'counted'],
);

/**
 * Removes evicted records. `KEYS` contains each record, and the quota that counts it. `ARGV` contains each record's
 * name and its order in the quota. A record that was changed in the meantime stays.
 */
export const REMOVE_SURPLUS = new RedisScript(
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function format(number) return string.format('%.0f', number) end
${QUOTA}
for index = 1, #KEYS, 6 do
  local at = (index - 1) / 3
  local name, owned = ARGV[at + 1], quota(index + 1)
  if format(owned.findOrder(name) or 0) == ARGV[at + 2] then
    owned.remove(name)
    redis.call('DEL', KEYS[index])
  end
end
return #KEYS / 6
`,
  ['counted'],
);

/**
 * Acquires or renews a lease. `ARGV` contains the process and the lease's lifetime in milliseconds. Returns whether
 * the process holds the lease. A lease with a longer lifetime was written by another program.
 */
export const LEASE = new RedisScript(
  `
local holder, left = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
local isTaken = holder and left >= 0 and left <= tonumber(ARGV[2])
if isTaken and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`,
  ['string'],
);

/** Releases a lease, if the process holds it. */
export const RELEASE = new RedisScript(
  `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`,
  ['string'],
);

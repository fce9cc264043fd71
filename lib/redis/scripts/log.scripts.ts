import { COUNTED_RECORD } from '../quota/quota.js';
import { RedisScript } from './redis-script.js';

/**
 * The start of each script that uses the log. `KEYS[1]` is its state, `KEYS[2]` is the stream. Redis assigns entry
 * numbers from a counter, because a clock may go backwards. Each entry has a `mark`, which is the time it was
 * written, and the previous entry's mark. This lets readers detect what a promoted replica has lost. Without a state
 * or a stream, a new log starts, with numbers above any that readers may be waiting for. A new log also starts if
 * another program has written to them, so that part of the state is missing or not a number, or an entry follows the
 * newest one.
 */
const LOG_STATE = `
local function text(number) return string.format('%.0f', number) end
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
local state = redis.call('HMGET', KEYS[1], 'e', 'n', 'm', 'b', 'f', 'i')
local function count(digits)
  local value = digits and string.find(digits, '^%d+$') and tonumber(digits)
  return value and value < ${2 ** 52} and value or nil
end
local epoch, number, mark = state[1], count(state[2]), state[3]
local bytes, floor, message = count(state[4]), count(state[5]), count(state[6])
local isWhole = number and mark and bytes and floor and message and epoch and string.find(epoch, '^[0-9a-z]+$')

local function begin(above)
  local digits, left = '', micros
  repeat
    local digit = left % 36
    digits = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. digits
    left = (left - digit) / 36
  until left == 0
  epoch, mark, bytes, floor = digits, text(micros), 0, 0
  number = math.max(now, above, message or 0) + 1
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('XADD', KEYS[2], text(number) .. '-0', 'e', epoch, 'm', mark, 'p', '', 'b', '0')
  redis.call('HSET', KEYS[1], 'e', epoch, 'n', text(number), 'm', mark, 'b', '0', 'f', '0', 'i', text(number))
end

local function hasOthers()
  return #redis.call('XRANGE', KEYS[2], text(number + 1) .. '-0', '+', 'COUNT', 1) > 0
end

if not isWhole or redis.call('EXISTS', KEYS[2]) == 0 or hasOthers() then begin(number or 0) end
`;

/**
 * Appends entries and changes records, in order. The record keys follow the log keys. `ARGV` contains the log's
 * limits, the number of steps, and the steps. A step is `1` and an entry, or `0`, and then `1` and a change, or `0`.
 * A change contains the record's expiry, the milliseconds until then, and `1` if earlier fields are removed first, or
 * `0`. Three lists follow, each after its length: the fields to set, to stamp and to unset. The last is the record's
 * owner, whose quota follows the record's key. Returns the epoch, for each step the number of the newest entry, and
 * the evicted records.
 */
export const WRITE = new RedisScript(
  `${LOG_STATE}
local format = text
${COUNTED_RECORD}
local most, longest, steps = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local at, used = 3, 2
local function take() at = at + 1; return ARGV[at] end

local function add(call, entry)
  local id, current, size = text(number + 1) .. '-0', text(micros), bytes + #entry + 100
  local added =
    call('XADD', KEYS[2], 'MAXLEN', '~', most, id, 'e', epoch, 'm', current, 'p', mark, 'b', text(size), 't', entry)
  if type(added) == 'table' and added.err then return added.err end
  number, bytes, mark = number + 1, size, current
end

local function append(entry)
  local failure = add(redis.pcall, entry)
  if not failure then return end
  -- Somebody else has added and deleted an entry: the stream refuses all numbers up to that one.
  if string.find(failure, 'stream', 1, true) then begin(number) end
  add(redis.call, entry)
end

local function change()
  used = used + 1
  local key, ends, lasts = KEYS[used], tonumber(take()), tonumber(take())
  local record, before = openRecord(key), redis.call('PTTL', key)
  if take() == '1' then record.clear() end
  for _ = 1, tonumber(take()) do local field = take(); record.set(field, take()) end
  for _ = 1, tonumber(take()) do
    local field = take()
    if not redis.call('HGET', key, field) then record.set(field, epoch .. ':' .. text(number)) end
  end
  for _ = 1, tonumber(take()) do record.unset(take()) end
  local last, left = math.max(ends, now + lasts, now + before), redis.call('PTTL', key)
  if left == -1 or (left >= 0 and now + left < last) then redis.call('PEXPIREAT', key, text(last)) end
  used = record.count(take, used + 1) - 1
end

local function shorten()
  while bytes - floor > longest do
    local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1][2]
    for index = 1, #first, 2 do if first[index] == 'b' then floor = tonumber(first[index + 1]) or floor end end
    local length = redis.call('XLEN', KEYS[2])
    if bytes - floor <= longest or length < 2 then break end
    redis.call('XTRIM', KEYS[2], 'MAXLEN', math.floor(length / 2))
  end
end

local numbers = { '' }
for _ = 1, steps do
  if take() == '1' then append(take()) end
  numbers[#numbers + 1] = text(number)
  if take() == '1' then change() end
end
shorten()
redis.call('HSET', KEYS[1], 'n', text(number), 'm', mark, 'b', text(bytes), 'f', text(floor))
numbers[1] = epoch
for _, fact in ipairs(surplus) do numbers[#numbers + 1] = fact end
return numbers
`,
  ['hash', 'stream', 'counted'],
);

/**
 * The maximum number of milliseconds for which a process can be considered alive. Entries beyond that were written by
 * another program.
 */
const LONGEST_AHEAD_MS = 3_600_000;

/** How long the log outlives its server's last process, in milliseconds. */
const KEEP_MS = 24 * 60 * 60_000;

/**
 * Records a process's heartbeat, and returns the log state. The third key contains the live processes, on the Redis
 * clock, and the process's inboxes follow. An inbox with a message that was never sent is deleted. `ARGV` contains
 * the process, and how long it is considered alive. As a connection's first command, it has at most ten parts. If a
 * client without a password sends more, Redis closes the connection instead of responding with `NOAUTH`.
 */
export const HEARTBEAT = new RedisScript(
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

/**
 * Starts another log if the current one has lost entries that were read. `ARGV` contains its epoch, and a number that
 * readers are waiting for.
 */
export const RENEW = new RedisScript(
  `${LOG_STATE}
if epoch == ARGV[1] then begin(math.max(number, tonumber(ARGV[2]))) end
return epoch
`,
  ['hash', 'stream'],
);

/**
 * Reads entries of a log. `ARGV` contains its epoch, the number before the first entry, the first number, and the
 * maximum number of entries to return.
 */
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

import { COUNTED_RECORD } from '../quota/counted-record.js';
import { LOG_STATE } from './log-state.js';
import { RedisScript } from './redis-script.js';

/**
 * Appends entries and changes records, in order. The keys of records follow the keys of the log. `ARGV` has the bounds of the
 * log, the number of steps, and the steps. A step is `1` and a text, or `0`, and then `1` and a change, or `0`. A change has
 * the end of the record, the milliseconds until then, and `1` if earlier fields are removed first, or `0`. Three lists follow,
 * each after its length: the fields to set, to stamp and to unset. The last is whose record it is. Its quota follows the key of
 * the record. Returns the epoch, for each step the number of the newest entry, and the records that make room.
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

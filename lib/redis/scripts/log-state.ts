/**
 * The beginning of each script that uses the log. `KEYS[1]` is its state, `KEYS[2]` is the stream. Redis counts the numbers
 * of entries, so that they never go back, as a clock may. Each entry has a `mark`, the time of its writing, and the mark of
 * the entry before it. So readers notice what a promoted replica has lost. Without a state or a stream, a new log begins. Its
 * numbers are above all that readers may wait at. The same happens if somebody else has written into them: if a part of the
 * state is missing or is not a number, or an entry is behind the newest.
 */
export const LOG_STATE = `
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

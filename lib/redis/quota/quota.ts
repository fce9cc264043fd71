/** The maximum lifetime of a quota that another program has written to: a year. */
const LONGEST_MS = 31_536_000_000;

/**
 * The part of scripts that counts callers' bytes. A quota has five keys. They contain its entries with their bytes,
 * the entries' expiry, and the sums of each share. The last two contain the evictable entries, by share and by age.
 *
 * `quota(at)` opens the quota whose keys start at `KEYS[at]`, and releases expired entries. It is reset if one of its
 * keys has a different type. The script defines `now` and `format` before that.
 *
 * An entry belongs to a share, such as the callers at one address. Bytes are limited per share, and for the whole quota.
 */
export const QUOTA = `
local function isWrongType(answer)
  return type(answer) == 'table' and answer.err ~= nil and string.find(answer.err, 'WRONGTYPE', 1, true) ~= nil
end

local function outlast(key, last)
  local left = redis.call('PTTL', key)
  if left == -1 or (left >= 0 and now + left < last) then redis.call('PEXPIREAT', key, format(last)) end
end

local function quota(at)
  local entries, ends, sums, removable, oldest = KEYS[at], KEYS[at + 1], KEYS[at + 2], KEYS[at + 3], KEYS[at + 4]
  local self = {}

  local function clear() redis.call('DEL', entries, ends, sums, removable, oldest) end

  local function parse(text)
    local bytes, share, ended = string.match(text or '', '^(%d+) (%S+) (%S+)$')
    return bytes and math.min(tonumber(bytes), 2 ^ 50), share, ended
  end

  local function find(name) return parse(redis.call('HGET', entries, name)) end
  local function sum(member) return tonumber(redis.call('ZSCORE', sums, member) or '0') end
  local function formatRemovable(share, ended, name) return share .. ' ' .. ended .. ' ' .. name end

  local function addRemovable(share, ended, name)
    redis.call('ZADD', removable, 0, formatRemovable(share, ended, name))
    redis.call('ZADD', oldest, ended, name)
  end

  local function add(share, bytes, count)
    for member, change in pairs({ all = bytes, ['b ' .. share] = bytes, ['n ' .. share] = count }) do
      if tonumber(redis.call('ZADD', sums, 'INCR', format(change), member)) <= 0 then
        redis.call('ZREM', sums, member)
      end
    end
  end

  -- Somebody may have written into the keys: sums are counted again before anybody is refused, once a minute at most.
  local function recount()
    local counted = tonumber(redis.call('HGET', entries, '') or '0')
    if counted and counted <= now and now - counted < 60000 then return false end
    local found = redis.call('HGETALL', entries)
    redis.call('DEL', sums, removable, oldest)
    for index = 1, #found, 2 do
      local name, bytes, share, ended = found[index], parse(found[index + 1])
      if bytes and redis.call('ZSCORE', ends, name) then
        add(share, bytes, 1)
        if tonumber(ended) then addRemovable(share, ended, name) end
      else
        redis.call('HDEL', entries, name)
        redis.call('ZREM', ends, name)
      end
    end
    redis.call('HSET', entries, '', format(now))
    local last = tonumber(redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2] or '0')
    for index = at, at + 4 do redis.call('PEXPIREAT', KEYS[index], format(math.min(last, now + ${LONGEST_MS}))) end
    return true
  end

  local function listOfShare(share, most)
    local members = redis.call('ZRANGEBYLEX', removable, '[' .. share .. ' ', '(' .. share .. '!', 'LIMIT', 0, most)
    for index, member in ipairs(members) do members[index] = string.match(member, '^%S+ %S+ (.*)$') or '' end
    return members
  end

  -- The share with the most makes room, unless all have little.
  local function listOfAll(most)
    local largest = ''
    for _, member in ipairs(redis.call('ZRANGE', sums, -3, -1)) do
      if string.sub(member, 1, 2) == 'b ' then largest = string.sub(member, 3) end
    end
    local names = listOfShare(largest, most)
    return #names > 1 and names or redis.call('ZRANGE', oldest, 0, most - 1)
  end

  function self.remove(name)
    local bytes, share, ended = find(name)
    redis.call('HDEL', entries, name)
    redis.call('ZREM', ends, name)
    if not bytes then return end
    redis.call('ZREM', removable, formatRemovable(share, ended, name))
    redis.call('ZREM', oldest, name)
    add(share, -bytes, -1)
  end

  function self.size(name)
    local bytes = find(name)
    return bytes
  end

  -- Returns the time in whose order an entry is removed, or nothing if it is not removed.
  function self.findOrder(name)
    local _, _, order = find(name)
    return tonumber(order)
  end

  -- An entry stays in the share that it began in. It may be removed in the order of a time, if there is one.
  function self.put(name, bytes, share, order, last)
    local _, first = find(name)
    local ended = order and format(order) or '-'
    share = first or share
    self.remove(name)
    redis.call('HSET', entries, name, format(bytes) .. ' ' .. share .. ' ' .. ended)
    redis.call('ZADD', ends, format(last), name)
    add(share, bytes, 1)
    if order then addRemovable(share, ended, name) end
    for index = at, at + 4 do outlast(KEYS[index], last) end
  end

  -- Returns nothing if there is room for an entry. Otherwise lists others whose removal makes room, the oldest first.
  function self.judge(name, bytes, share, mostOfShare, mostOfAll)
    local present, first = find(name)
    local growth = bytes - (present or 0)
    if growth <= 0 then return nil end
    share = first or share
    local function findExcess()
      return sum('b ' .. share) + growth - mostOfShare, sum('all') + growth - mostOfAll
    end
    local ofShare, ofAll = findExcess()
    if ofShare <= 0 and ofAll <= 0 then return nil end
    if recount() then ofShare, ofAll = findExcess() end
    if ofShare <= 0 and ofAll <= 0 then return nil end
    local excess = ofShare > 0 and ofShare or ofAll
    local names = {}
    for _, other in ipairs(ofShare > 0 and listOfShare(share, 100) or listOfAll(100)) do
      if excess <= 0 then break end
      if other ~= name then
        excess = excess - (find(other) or 0)
        names[#names + 1] = other
      end
    end
    return names
  end

  -- Lists entries of the share of an entry that are more than it may have, the oldest first.
  function self.listSurplus(name, most)
    local _, share = find(name)
    local surplus = sum('n ' .. (share or '')) - most
    return surplus > 0 and listOfShare(share, math.min(surplus, 100)) or {}
  end

  -- Returns the seconds until the next entry expires.
  function self.findEnd()
    local first = redis.call('ZRANGE', ends, 0, 0, 'WITHSCORES')[2]
    return first and math.max(math.ceil((tonumber(first) - now) / 1000), 0) or 0
  end

  if isWrongType(redis.pcall('HGET', entries, '')) then clear() end
  for index = at + 1, at + 4 do
    if isWrongType(redis.pcall('ZSCORE', KEYS[index], '')) then clear() end
  end
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', '(' .. format(now), 'LIMIT', 0, 100)) do
    self.remove(name)
  end
  return self
end
`;

/** Bytes in Redis for a record in addition to its fields: its key, and its entries in the quota. */
const RECORD_BYTES = 512;

/** Bytes for a field in addition to its name and value. */
const FIELD_BYTES = 32;

/**
 * The part of scripts that changes records and counts their bytes. `openRecord(key)` returns the functions that
 * change its fields. Its `count` reads the arguments of `formatOwner`, through a function that returns the next one,
 * and accepts the index of the first key of the owner's quota. It returns the index after them.
 *
 * The owner's oldest other records are evicted by another script: `surplus` lists them for `formatRemoval`. A record
 * that was replaced as a whole marks the end of a session or state, and is evicted last: without it, that session or
 * state would come back to life.
 */
export const COUNTED_RECORD = `${QUOTA}
local surplus = {}

local function openRecord(key)
  local self, growth = {}, 0
  if isWrongType(redis.pcall('HGET', key, '')) then redis.call('DEL', key) end

  local function resize(field, value)
    local present = redis.call('HGET', key, field)
    local function size(text) return text and #field + #text + ${FIELD_BYTES} or 0 end
    growth = growth + size(value) - size(present)
    return present
  end

  function self.set(field, value)
    resize(field, value)
    redis.call('HSET', key, field, value)
  end

  function self.unset(field)
    if resize(field, nil) then redis.call('HDEL', key, field) end
  end

  function self.clear()
    redis.call('DEL', key)
    growth, self.isNew = 0, true
  end

  function self.count(take, at)
    if take() == '0' then return at end
    local name, share, mostOfShare, mostOfAll = take(), take(), tonumber(take()), tonumber(take())
    local isKnown = take() == '1'
    local owned = quota(at)
    -- A session begins without an owner, and is a caller's later.
    if isKnown then quota(at + 5).remove(name) end
    local behind = isKnown and at + 10 or at + 5
    local left = redis.call('PTTL', key)
    if left < 0 then
      owned.remove(name)
      return behind
    end
    local present = not self.isNew and owned.size(name)
    local bytes = math.max((present or ${RECORD_BYTES}) + growth, ${RECORD_BYTES})
    for _, other in ipairs(owned.judge(name, bytes, share, mostOfShare, mostOfAll) or {}) do
      for _, fact in ipairs({ format(at), other, format(owned.findOrder(other) or 0) }) do
        surplus[#surplus + 1] = fact
      end
    end
    local order = math.max(self.isNew and now + left or now, owned.findOrder(name) or 0)
    owned.put(name, bytes, share, order, now + left)
    return behind
  end

  return self
end
`;

import { QUOTA } from './quota.js';

/** Bytes of Redis that a record takes besides its fields: its key, and its places in the quota. */
const RECORD_BYTES = 512;

/** Bytes that a field takes besides its texts. */
const FIELD_BYTES = 32;

/**
 * The part of scripts that changes records and counts their bytes. `openRecord(key)` gives the functions that change its
 * fields. Its `count` takes the arguments of `formatOwner`, by a function that returns the next one, and the index of the
 * first key of the owner's quota. It returns the index behind them.
 *
 * The oldest other records of the owner make room, by another script: `surplus` lists them for `formatRemoval`. A record that
 * was replaced as a whole says that something has ended, and is removed last: without it, that would begin again.
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

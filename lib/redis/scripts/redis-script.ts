import { createHash } from 'node:crypto';

/** The type of a key in Redis. A `counted` key is a record or a part of a quota, which the counting script repairs. */
export type KeyKind = 'hash' | 'stream' | 'zset' | 'string' | 'counted';

/** A cheap command that fails if the key has another type. */
const PROBES: Readonly<Record<KeyKind, string>> = {
  hash: "'HGET', key, ''",
  stream: "'XLEN', key",
  zset: "'ZCOUNT', key, 1, 0",
  string: "'GET', key",
  counted: "'PTTL', key",
};

/**
 * A script that Redis runs atomically. It uses only the given keys. A key to which a foreign client has given another
 * type is deleted first, because a script must not fail halfway.
 */
export class RedisScript {
  readonly source: string;
  /** The digest with which Redis finds a cached script. */
  readonly hash: string;

  /** @param kinds the types of the keys, in order. The last one applies to all further keys */
  constructor(text: string, kinds: readonly [KeyKind, ...KeyKind[]]) {
    this.source = `${formatHealing(kinds)}${text}`;
    this.hash = createHash('sha1').update(this.source).digest('hex');
  }
}

function formatHealing(kinds: readonly KeyKind[]): string {
  const probes = kinds.map((kind) => `function(key) return redis.pcall(${PROBES[kind]}) end`);
  return `
local probes = { ${probes.join(', ')} }
for index, key in ipairs(KEYS) do
  local answer = probes[math.min(index, #probes)](key)
  if type(answer) == 'table' and answer.err and string.find(answer.err, 'WRONGTYPE', 1, true) then
    redis.call('DEL', key)
  end
end
`;
}

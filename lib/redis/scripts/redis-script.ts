import { createHash } from 'node:crypto';

/** A key's type in Redis. A `counted` key is a record or part of a quota, which the counting script repairs. */
export type KeyKind = 'hash' | 'stream' | 'zset' | 'string' | 'counted';

/** A cheap command that fails if the key has a different type. */
const PROBES: Readonly<Record<KeyKind, string>> = {
  hash: "'HGET', key, ''",
  stream: "'XLEN', key",
  zset: "'ZCOUNT', key, 1, 0",
  string: "'GET', key",
  counted: "'PTTL', key",
};

/**
 * A script that Redis runs atomically. It uses only the given keys. A key whose type another program has changed is
 * deleted first, because a script must not fail halfway.
 */
export class RedisScript {
  readonly source: string;
  /** The digest that Redis uses to find a cached script. */
  readonly hash: string;

  /** @param kinds the key types, in order. The last one applies to all further keys */
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

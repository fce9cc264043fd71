import { createHash } from 'node:crypto';

/** What a key of this package is in Redis. A `counted` key is a record or a part of a quota, which the counting script heals. */
export type KeyKind = 'hash' | 'stream' | 'zset' | 'string' | 'counted';

/** A command that fails if the key is of another kind, and costs next to nothing. */
const PROBES: Readonly<Record<KeyKind, string>> = {
  hash: "'HGET', key, ''",
  stream: "'XLEN', key",
  zset: "'ZCOUNT', key, 1, 0",
  string: "'GET', key",
  counted: "'PTTL', key",
};

/**
 * A script that Redis runs as one step. It uses the given keys, and no others. A key that somebody else has made another
 * kind of is deleted before anything is done: half of a script must not happen.
 */
export class RedisScript {
  readonly text: string;
  /** The digest by which Redis finds a script that it has run before. */
  readonly hash: string;

  /** @param kinds what the keys are, in their order. The last kind is that of all further keys */
  constructor(text: string, kinds: readonly [KeyKind, ...KeyKind[]]) {
    this.text = `${formatHealing(kinds)}${text}`;
    this.hash = createHash('sha1').update(this.text).digest('hex');
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

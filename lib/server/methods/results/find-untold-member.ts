/** A member that JSON cannot tell, with the way out. */
export interface UntoldMember {
  /** Names from the root to the member, such as `rows[3].id`; empty for the value itself. */
  readonly path: string;
  /** What the member is, with an article. */
  readonly kind: string;
  /** What to return instead. */
  readonly remedy: string;
}

interface Kind {
  readonly kind: string;
  readonly is: (value: object) => boolean;
  readonly remedy: (name: string) => string;
}

/** What JSON shows as `{}`, whatever is in it. */
const SHOWN_EMPTY: readonly Kind[] = [
  { kind: 'a Map', is: (value) => value instanceof Map, remedy: (name) => `Object.fromEntries(${name})` },
  { kind: 'a Set', is: (value) => value instanceof Set, remedy: (name) => `[...${name}]` },
  { kind: 'an Error', is: (value) => value instanceof Error, remedy: (name) => `${name}.message` },
  { kind: 'a Promise', is: (value) => value instanceof Promise, remedy: (name) => `await ${name}` },
  { kind: 'a RegExp', is: (value) => value instanceof RegExp, remedy: (name) => `${name}.source` },
  {
    kind: 'an ArrayBuffer',
    is: (value) => value instanceof ArrayBuffer,
    remedy: (name) => `Buffer.from(${name}).toString('base64')`,
  },
  { kind: 'a Blob', is: (value) => value instanceof Blob, remedy: (name) => `await ${name}.text()` },
];

/**
 * Finds the first member that JSON refuses (a BigInt, a circle) or shows as `{}` (such as a `Map`). A value with `toJSON` says
 * itself what it is as JSON.
 */
export function findUntoldMember(value: unknown): UntoldMember | undefined {
  return find(value, { path: '', name: 'it', above: [] });
}

/** Where a member stands, and what it stands in. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly above: readonly object[];
}

function find(value: unknown, place: Place): UntoldMember | undefined {
  const { path, name, above } = place;
  if (typeof value === 'bigint') return { path, kind: 'a BigInt', remedy: `String(${name})` };
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined;
  if (above.includes(value)) return { path, kind: 'an object that contains itself', remedy: 'its id' };
  const known = SHOWN_EMPTY.find(({ is }) => is(value));
  if (known !== undefined) return { path, kind: known.kind, remedy: known.remedy(name) };
  for (const [key, member] of Object.entries(value)) {
    const found = find(member, enter(place, value, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function enter({ path, name, above }: Place, parent: object, key: string): Place {
  const within = [...above, parent];
  if (Array.isArray(parent)) return { path: `${path}[${key}]`, name, above: within };
  return { path: path === '' ? key : `${path}.${key}`, name: key, above: within };
}

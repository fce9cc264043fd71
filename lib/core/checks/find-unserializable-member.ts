/** A member that JSON cannot represent, and what to return instead. */
export interface UnserializableMember {
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

const BYTES_REMEDY = (name: string): string => `Buffer.from(${name}).toString('base64')`;

/** Values that JSON writes as `{}`, with indices as the names of members, or as a long list of numbers. */
const MISWRITTEN: readonly Kind[] = [
  { kind: 'a Map', is: (value) => value instanceof Map, remedy: entriesOf },
  { kind: 'a Set', is: (value) => value instanceof Set, remedy: (name) => `[...${name}]` },
  { kind: 'an Error', is: (value) => value instanceof Error, remedy: (name) => `${name}.message` },
  { kind: 'a Promise', is: (value) => value instanceof Promise, remedy: (name) => `await ${name}` },
  { kind: 'a RegExp', is: (value) => value instanceof RegExp, remedy: (name) => `${name}.source` },
  {
    kind: 'an ArrayBuffer',
    is: (value) => value instanceof ArrayBuffer,
    remedy: BYTES_REMEDY,
  },
  {
    kind: 'a SharedArrayBuffer',
    is: (value) => typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer,
    remedy: BYTES_REMEDY,
  },
  {
    kind: 'a DataView',
    is: (value) => value instanceof DataView,
    remedy: (name) =>
      `Buffer.from(${name}.buffer, ${name}.byteOffset, ${name}.byteLength).toString('base64')`,
  },
  { kind: 'a WeakMap', is: (value) => value instanceof WeakMap, remedy: () => 'its values in an object' },
  { kind: 'a WeakSet', is: (value) => value instanceof WeakSet, remedy: () => 'its values in an array' },
  { kind: 'a WeakRef', is: (value) => value instanceof WeakRef, remedy: (name) => `${name}.deref()` },
  { kind: 'a Buffer', is: isBuffer, remedy: (name) => `${name}.toString('base64')` },
  { kind: 'a Uint8Array', is: (value) => value instanceof Uint8Array, remedy: BYTES_REMEDY },
  { kind: 'a typed array', is: isTypedArray, remedy: (name) => `Array.from(${name}, Number)` },
  { kind: 'a Blob', is: (value) => value instanceof Blob, remedy: (name) => `await ${name}.text()` },
  { kind: 'a Headers', is: (value) => value instanceof Headers, remedy: entriesOf },
  { kind: 'a FormData', is: (value) => value instanceof FormData, remedy: entriesOf },
  { kind: 'a URLSearchParams', is: (value) => value instanceof URLSearchParams, remedy: entriesOf },
  { kind: 'an iterator', is: isIterator, remedy: (name) => `[...${name}]` },
];

function entriesOf(name: string): string {
  return `Object.fromEntries(${name})`;
}

function isBuffer(value: object): boolean {
  return Buffer.isBuffer(value);
}

function isTypedArray(value: object): boolean {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isIterator(value: object): boolean {
  return Symbol.iterator in value && 'next' in value;
}

/**
 * Finds the first member that JSON refuses (a BigInt, a cycle), or writes as `null` (`NaN`, `Infinity`), as `{}` or by
 * indices (such as a `Map` or a `Uint8Array`). A value with `toJSON` is taken as it is, except a `Buffer`, which would be a list of numbers.
 */
export function findUnserializableMember(value: unknown): UnserializableMember | undefined {
  return find(value, { path: '', name: 'it', above: [] });
}

/** Tells whether a value has a number that JSON writes as `null`. What ends the stack was not written either. */
export function hasInfiniteNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasInfiniteNumber);
  if ('toJSON' in value) return false;
  for (const name in value) {
    if (hasInfiniteNumber((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/** The path of a member, and its parents. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly above: readonly object[];
}

function find(value: unknown, place: Place): UnserializableMember | undefined {
  const { path, name, above } = place;
  if (typeof value === 'bigint') return { path, kind: 'a BigInt', remedy: `String(${name})` };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, kind: String(value), remedy: 'a number, null or a text' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('toJSON' in value && !isBuffer(value)) return undefined;
  if (above.includes(value)) return { path, kind: 'an object that contains itself', remedy: 'its id' };
  const known = MISWRITTEN.find(({ is }) => is(value));
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

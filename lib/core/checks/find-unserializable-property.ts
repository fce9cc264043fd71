/** A property that JSON cannot represent, and what to return instead. */
export interface UnserializableProperty {
  /** Names from the root to the property, such as `rows[3].id`; empty for the value itself. */
  readonly path: string;
  /** A description of the property, including an article. */
  readonly kind: string;
  /** What to return instead. */
  readonly fix: string;
}

interface Kind {
  readonly kind: string;
  readonly is: (value: object) => boolean;
  readonly fix: (name: string) => string;
}

const BYTES_FIX = (name: string): string => `Buffer.from(${name}).toString('base64')`;

/** Values that JSON writes as `{}`, with indices as property names, or as a long list of numbers. */
const MISWRITTEN: readonly Kind[] = [
  { kind: 'a Map', is: (value) => value instanceof Map, fix: entriesOf },
  { kind: 'a Set', is: (value) => value instanceof Set, fix: (name) => `[...${name}]` },
  { kind: 'an Error', is: (value) => value instanceof Error, fix: (name) => `${name}.message` },
  { kind: 'a Promise', is: (value) => value instanceof Promise, fix: (name) => `await ${name}` },
  { kind: 'a RegExp', is: (value) => value instanceof RegExp, fix: (name) => `${name}.source` },
  {
    kind: 'an ArrayBuffer',
    is: (value) => value instanceof ArrayBuffer,
    fix: BYTES_FIX,
  },
  {
    kind: 'a SharedArrayBuffer',
    is: (value) => typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer,
    fix: BYTES_FIX,
  },
  {
    kind: 'a DataView',
    is: (value) => value instanceof DataView,
    fix: (name) => `Buffer.from(${name}.buffer, ${name}.byteOffset, ${name}.byteLength).toString('base64')`,
  },
  { kind: 'a WeakMap', is: (value) => value instanceof WeakMap, fix: () => 'its values in an object' },
  { kind: 'a WeakSet', is: (value) => value instanceof WeakSet, fix: () => 'its values in an array' },
  { kind: 'a WeakRef', is: (value) => value instanceof WeakRef, fix: (name) => `${name}.deref()` },
  { kind: 'a Buffer', is: isBuffer, fix: (name) => `${name}.toString('base64')` },
  { kind: 'a Uint8Array', is: (value) => value instanceof Uint8Array, fix: BYTES_FIX },
  { kind: 'a typed array', is: isTypedArray, fix: (name) => `Array.from(${name}, Number)` },
  { kind: 'a Blob', is: (value) => value instanceof Blob, fix: (name) => `await ${name}.text()` },
  { kind: 'a Headers', is: (value) => value instanceof Headers, fix: entriesOf },
  { kind: 'a FormData', is: (value) => value instanceof FormData, fix: entriesOf },
  { kind: 'a URLSearchParams', is: (value) => value instanceof URLSearchParams, fix: entriesOf },
  { kind: 'an iterator', is: isIterator, fix: (name) => `[...${name}]` },
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
 * Finds the first property that JSON refuses (a BigInt, a cycle) or writes as `null` (`NaN`, `Infinity`), as `{}` or
 * under its indices (such as a `Map` or a `Uint8Array`). A value with `toJSON` is accepted unread, except a `Buffer`,
 * which would become a list of numbers.
 */
export function findUnserializableProperty(value: unknown): UnserializableProperty | undefined {
  return find(value, { path: '', name: 'it', above: [] });
}

/**
 * Returns whether a value contains a number that JSON writes as `null`. A value that is too deeply nested for the
 * stack was not serialized either.
 */
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

/** A property's path, and the objects above it. */
interface PropertyPath {
  readonly path: string;
  readonly name: string;
  readonly above: readonly object[];
}

function find(value: unknown, place: PropertyPath): UnserializableProperty | undefined {
  const { path, name, above } = place;
  if (typeof value === 'bigint') return { path, kind: 'a BigInt', fix: `String(${name})` };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path, kind: String(value), fix: 'a number, null or a string' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if ('toJSON' in value && !isBuffer(value)) return undefined;
  if (above.includes(value)) return { path, kind: 'an object that contains itself', fix: 'its id' };
  const known = MISWRITTEN.find(({ is }) => is(value));
  if (known !== undefined) return { path, kind: known.kind, fix: known.fix(name) };
  for (const [key, member] of Object.entries(value)) {
    const found = find(member, enter(place, value, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function enter({ path, name, above }: PropertyPath, parent: object, key: string): PropertyPath {
  const within = [...above, parent];
  if (Array.isArray(parent)) return { path: `${path}[${key}]`, name, above: within };
  return { path: path === '' ? key : `${path}.${key}`, name: key, above: within };
}

/** Is thrown where a parser does what it never should; the input that made it do so is kept. */
export class BrokenContractError extends Error {
  override readonly name = 'BrokenContractError';
}

/** The class of an error that a parser says it throws; what makes one may be private. */
export type DocumentedError = { readonly prototype: Error };

/** What came of parsing: a value, or one of the errors that are documented. */
export type Outcome<Value> = { readonly value: Value } | { readonly error: Error };

/** Errors quote what strangers sent, and not much of it. */
const LONGEST_MESSAGE = 4096;

/** As they are before anything strange was parsed. */
const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype].map(
  (prototype) => ({ prototype, names: Reflect.ownKeys(prototype).length }),
);

/** Asserts a part of a contract, which is told as a sentence. */
export function assertHolds(condition: unknown, part: string): asserts condition {
  if (!condition) throw new BrokenContractError(part);
}

/** Asserts that two values are the same as JSON has them. */
export function assertSame(found: unknown, expected: unknown, part: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  assertHolds(one === other, `${part}: ${one} is not ${other}`);
}

/** Parses, and asserts that nothing but the documented errors is thrown and that no prototype is changed. */
export function parseWith<Value>(
  parse: () => Value,
  ...documented: readonly DocumentedError[]
): Outcome<Value> {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof Error) || !documented.some(({ prototype }) => prototype.isPrototypeOf(error)))
      throw error;
    assertHolds(error.message.length <= LONGEST_MESSAGE, 'an error is no longer than a few lines');
    return { error };
  } finally {
    assertPristine();
  }
}

/** Asserts that nobody has added to the prototypes that all objects share. */
export function assertPristine(): void {
  for (const { prototype, names } of PROTOTYPES) {
    assertHolds(Reflect.ownKeys(prototype).length === names, 'no prototype is added to');
  }
}

/** Reads JSON for a parser of what is in it; nothing where the bytes are none. */
export function readJson(bytes: Buffer | string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Divides bytes into texts at each zero, for parsers that take several. */
export function readFields(bytes: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): readonly string[] {
  return bytes.toString(encoding).split('\0');
}

/** Reads header fields, each `name: value` on a line of its own, as Node gives them to a server. */
export function readHeaders(text: string): { readonly [name: string]: string } {
  const fields = text.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 1
      ? ['x', line]
      : [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(fields);
}

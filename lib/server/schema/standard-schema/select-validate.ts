import { isObject } from '../../../core/protocol/json-rpc.js';
import type { StandardOutcome, StandardSchema } from '../../settings/schema-source.interface.js';

type StandardProperties = StandardSchema['~standard'];

/** A schema of zod 4, as far as it is known here: https://zod.dev/library-authors. */
interface ZodSchema {
  readonly safeParseAsync: (value: unknown) => Promise<ZodOutcome>;
}

type ZodOutcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Extract<StandardOutcome<unknown>, { issues: object }> };

/**
 * Selects how values are validated: as Standard Schema says, except for schemas of zod that may have to wait. The library first
 * tries those without waiting, and starts again when it finds a promise. Asynchronous checks would run twice, and a rejection
 * of the first run, which nobody awaits, would end the process.
 */
export function selectValidate(source: object, standard: StandardProperties): StandardProperties['validate'] {
  if (standard.vendor === 'zod' && isZodSchema(source) && mayWait(source)) {
    return async (value) => {
      const parsed = await source.safeParseAsync(value);
      return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
    };
  }
  return (value) => standard.validate(value);
}

function isZodSchema(source: object): source is ZodSchema {
  return 'safeParseAsync' in source && typeof source.safeParseAsync === 'function';
}

/** What runs functions of the developer, or hides until the first value what does. */
const MAY_WAIT = new Set<unknown>(['custom', 'lazy', 'promise', 'transform']);

/** Whether a function gives a promise shows only when it is called, and it may not be called for every value. */
function mayWait(source: object): boolean {
  const found = new Set<unknown>([source]);
  for (const part of found) {
    const definition = findDefinition(part);
    if (definition === undefined) continue;
    const { type, check, transform } = definition;
    if (MAY_WAIT.has(type) || MAY_WAIT.has(check) || typeof transform === 'function') return true;
    for (const inner of listInner(definition)) found.add(inner);
  }
  return false;
}

function findDefinition(part: unknown): Readonly<Record<string, unknown>> | undefined {
  const core = hasMembers(part) ? part['_zod'] : undefined;
  return hasMembers(core) && isObject(core['def']) ? core['def'] : undefined;
}

/** Schemas stand in a definition by themselves, in lists (the members of a union, checks) and by name (those of an object). */
function* listInner(definition: Readonly<Record<string, unknown>>): Generator<unknown> {
  for (const name of Object.keys(definition)) {
    // To read a default is to call what makes it.
    if (name === 'defaultValue') continue;
    const member = definition[name];
    if (Array.isArray(member)) yield* member;
    else if (name === 'shape' && isObject(member)) yield* Object.values(member);
    else yield member;
  }
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

import type { JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { DATE_TEXT, MARK } from '../listing/shown-marks.js';

/** Options that make a library represent dates, and mark types that it cannot represent instead of failing. */
interface Library {
  readonly options: Readonly<Record<string, unknown>>;
  /** How to replace a type that JSON Schema cannot express. */
  readonly fix: Readonly<Record<SchemaDirection, string>>;
}

const ANY_FIX = 'use types that JSON supports';

/** Finds the conversion options for a library. */
export function findLibraryOptions(vendor: string): Library['options'] | undefined {
  return LIBRARIES.get(vendor)?.options;
}

/** Returns how to replace a type that a library cannot represent. */
export function selectFix(vendor: string, direction: SchemaDirection): string {
  return LIBRARIES.get(vendor)?.fix[direction] ?? ANY_FIX;
}

function mark(problem: string): JsonSchema {
  return { [MARK]: { problem } };
}

const MARKED_DATE: JsonSchema = { ...DATE_TEXT, [MARK]: 'date' };

/** The parts of a zod schema that are used here: https://zod.dev/library-authors. */
interface ZodPart {
  readonly _zod: {
    readonly def: { readonly type: string; readonly coerce?: boolean; readonly in?: ZodPart };
  };
}

/** Kinds that zod up to 4.5 silently omits. */
const ZOD_UNSHOWN = new Set([
  'bigint',
  'custom',
  'function',
  'map',
  'nan',
  'set',
  'symbol',
  'transform',
  'undefined',
  'void',
]);

/** @see https://zod.dev/json-schema */
const ZOD: Library = {
  options: {
    unrepresentable: ({ message }: { readonly message: string }) => mark(message),
    override({ zodSchema, jsonSchema }: { zodSchema: ZodPart; jsonSchema: Record<string, unknown> }) {
      const { type, coerce, in: given } = zodSchema._zod.def;
      if (type === 'date') {
        delete jsonSchema[MARK];
        // A coercing date parses strings itself, in more formats than ISO 8601.
        Object.assign(jsonSchema, coerce === true ? DATE_TEXT : MARKED_DATE);
      }
      // The preceding transform parses strings itself.
      if (type === 'pipe' && given?._zod.def.type === 'transform' && jsonSchema[MARK] === 'date') {
        delete jsonSchema[MARK];
      }
      if (ZOD_UNSHOWN.has(type) && Object.keys(jsonSchema).length === 0) {
        Object.assign(jsonSchema, mark(`The type "${type}" cannot be represented in JSON Schema`));
      }
    },
  },
  fix: {
    input:
      'accept a JSON type and convert it, as in z.string().transform(…), or describe it with .meta({ type: "string" })',
    output:
      'declare the converted type, as in .pipe(z.string()), or describe it with .meta({ type: "string" })',
  },
};

interface ValibotPart {
  readonly kind: string;
  readonly type: string;
  readonly class?: unknown;
}

interface ValibotConversion {
  readonly jsonSchema: JsonSchema;
  readonly errors?: readonly string[];
}

/** @see https://github.com/fabian-hiller/valibot/tree/main/packages/to-json-schema */
const VALIBOT: Library = {
  options: {
    overrideSchema({
      valibotSchema,
      jsonSchema,
      errors,
    }: ValibotConversion & { valibotSchema: ValibotPart }) {
      const { type, class: constructor } = valibotSchema;
      if (type === 'date' || (type === 'instance' && constructor === Date))
        return { ...jsonSchema, ...MARKED_DATE };
      return errors === undefined ? undefined : { ...jsonSchema, ...mark(errors.join('; ')) };
    },
    overrideAction({
      valibotAction,
      jsonSchema,
      errors,
    }: ValibotConversion & { valibotAction: ValibotPart }) {
      if (valibotAction.type === 'to_date') return { ...DATE_TEXT };
      // A check that cannot be represented still runs.
      if (errors === undefined || valibotAction.kind === 'validation') return errors && jsonSchema;
      return mark(errors.join('; '));
    },
  },
  fix: {
    input:
      'accept a JSON type and convert it, as in v.pipe(v.string(), v.transform(…)), or describe it with v.metadata({ type: "string" })',
    output:
      'declare the converted type, as in v.pipe(…, v.transform(…), v.string()), or describe it with v.metadata({ type: "string" })',
  },
};

interface ArktypeConversion {
  readonly base: JsonSchema;
  readonly domain?: string;
  readonly proto?: { readonly name: string };
  readonly unit?: unknown;
}

/** @see https://arktype.io/docs/configuration#tojsonschema */
const ARKTYPE: Library = {
  options: {
    fallback: {
      date: ({ base }: ArktypeConversion) => ({ ...base, ...MARKED_DATE }),
      domain: ({ domain }: ArktypeConversion) =>
        mark(`The type "${domain}" cannot be represented in JSON Schema`),
      proto: ({ proto }: ArktypeConversion) =>
        mark(`The class "${proto?.name}" cannot be represented in JSON Schema`),
      unit: ({ unit }: ArktypeConversion) =>
        unit === undefined
          ? { [MARK]: 'absent' }
          : mark(`A value of the type "${typeof unit}" cannot be represented in JSON Schema`),
    },
  },
  fix: {
    input: 'accept a JSON type and convert it, as in type("string").pipe(…)',
    output: 'declare the converted type, as in .pipe(…, type("string"))',
  },
};

const LIBRARIES: ReadonlyMap<string, Library> = new Map([
  ['zod', ZOD],
  ['valibot', VALIBOT],
  ['arktype', ARKTYPE],
]);

import type { Ajv, Options } from 'ajv';
import type { JsonSchema } from '../compiled-schema.interface.js';
import packages from '../packages-on-demand.cjs';

/** The dialects of JSON Schema that are understood. */
export type Dialect = 'draft-2020-12' | 'draft-07';

/** What a schema wants of the ajv instance that compiles it. */
export interface AjvNeeds {
  readonly dialect: Dialect;
  /** Whether absent members take their `default`. */
  readonly fillsDefaults: boolean;
  /** Whether every error is collected, or the first alone. */
  readonly reportsAll: boolean;
  /** Whether the schema has an `$id`, which would meet that of another schema in a shared instance. */
  readonly hasIdentity: boolean;
}

/** An instance keeps every compiled schema. So it is replaced by a fresh one from time to time. */
const MOST_SHARINGS = 200;

const judges = new Map<Dialect, Ajv>();
const shared = new Map<string, { readonly ajv: Ajv; sharings: number }>();

/** Says what the meta-schema of a dialect has against a schema, or nothing; the meta-schema itself is compiled once. */
export function findSchemaFault(schema: JsonSchema, dialect: Dialect): string | undefined {
  const judge = judges.get(dialect) ?? createAjv({ dialect, fillsDefaults: false, reportsAll: false });
  judges.set(dialect, judge);
  const isValid = judge.validateSchema(schema) === true;
  const fault = isValid ? undefined : judge.errorsText(judge.errors, { dataVar: '' });
  judge.errors = null;
  return fault;
}

/** Returns an instance of ajv: a shared one, or one of its own for a schema with an `$id`. */
export function getAjv(needs: AjvNeeds): Ajv {
  if (needs.hasIdentity) return createAjv(needs);
  const key = `${needs.dialect} ${needs.fillsDefaults} ${needs.reportsAll}`;
  const found = shared.get(key);
  if (found !== undefined && found.sharings < MOST_SHARINGS) {
    found.sharings += 1;
    return found.ajv;
  }
  const ajv = createAjv(needs);
  shared.set(key, { ajv, sharings: 1 });
  return ajv;
}

function createAjv({ dialect, fillsDefaults, reportsAll }: Omit<AjvNeeds, 'hasIdentity'>): Ajv {
  const options: Options = {
    strict: false,
    validateSchema: false,
    strictNumbers: true,
    logger: false,
    verbose: true,
    ownProperties: true,
    allErrors: reportsAll,
    useDefaults: fillsDefaults,
    code: { optimize: false },
  };
  const ajv = new (loadAjv(dialect))(options);
  packages.loadFormats()(ajv);
  ajv.removeKeyword('id');
  return ajv;
}

/** Loads the compiler when the first schema is there for it: an application whose schemas are all Zod's starts without. */
function loadAjv(dialect: Dialect): new (options: Options) => Ajv {
  return dialect === 'draft-07' ? packages.loadAjv() : packages.loadAjv2020();
}

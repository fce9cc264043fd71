import type { Ajv, Options, ValidateFunction } from 'ajv';
import { decodeFragment, findByPointer } from '../../../core/protocol/json-schema.js';
import type {
  CompiledSchema,
  JsonSchema,
  SchemaDirection,
  ValidationIssue,
  ValidationOutcome,
} from '../compiled-schema.interface.js';
import { copyJson, freezeSchema, findJsonCopy } from '../json.js';
import { inlineReferences } from '../listing/inline-references.js';
import packages from '../packages-on-demand.cjs';
import { SchemaError } from '../schema.error.js';
import { buildAjvIssues } from './build-ajv-issues.js';
import { findSubschemas, type Subschema } from './find-subschemas.js';

/** Documents that every validator includes and never has to fetch. */
const KNOWN_DOCUMENTS = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema',
]);

/**
 * Asserts that a schema, including its unused definitions, has no references outside itself.
 *
 * @throws {SchemaError} naming the first reference that the schema does not contain
 * @see MCP 2026-07-28 basic, JSON Schema usage
 */
function assertReferences(subschemas: readonly Subschema[], direction: SchemaDirection): void {
  const index = buildIndex(subschemas);
  for (const { keywords, address } of subschemas) {
    for (const reference of [keywords['$ref'], keywords['$dynamicRef']]) {
      if (typeof reference !== 'string' || holds(index, reference, address)) continue;
      throw SchemaError.unresolvedReference(direction, reference);
    }
  }
}

interface Index {
  readonly resources: ReadonlyMap<string, unknown>;
  readonly anchors: ReadonlySet<string>;
}

function buildIndex(subschemas: readonly Subschema[]): Index {
  const resources = new Map<string, unknown>();
  const anchors = new Set<string>();
  for (const { keywords, address } of subschemas) {
    if (!resources.has(address)) resources.set(address, keywords);
    for (const anchor of [keywords['$anchor'], keywords['$dynamicAnchor']]) {
      if (typeof anchor === 'string') anchors.add(`${address}#${anchor}`);
    }
    const id = keywords['$id'];
    if (typeof id === 'string' && id.startsWith('#')) anchors.add(`${address}${id}`);
  }
  return { resources, anchors };
}

function holds({ resources, anchors }: Index, reference: string, address: string): boolean {
  if (!URL.canParse(reference, address)) return false;
  const [document = '', fragment = ''] = new URL(reference, address).href.split('#');
  if (KNOWN_DOCUMENTS.has(document)) return true;
  if (!resources.has(document)) return false;
  if (fragment === '') return true;
  if (!fragment.startsWith('/')) return anchors.has(`${document}#${decodeFragment(fragment)}`);
  return findByPointer(resources.get(document), decodeFragment(fragment)) !== undefined;
}

/** The supported JSON Schema dialects. */
type Dialect = 'draft-2020-12' | 'draft-07';

/** A schema's requirements for the ajv instance that compiles it. */
interface AjvNeeds {
  readonly dialect: Dialect;
  /** Whether absent properties are filled with their `default`. */
  readonly fillsDefaults: boolean;
  /** Whether all errors are collected, or only the first. */
  readonly reportsAll: boolean;
  /** Whether the schema has an `$id`, which would conflict with another schema in a shared instance. */
  readonly hasIdentity: boolean;
}

/** An instance never releases compiled schemas, so it is replaced after this many schemas. */
const MOST_SHARINGS = 200;

const metaValidators = new Map<Dialect, Ajv>();
const shared = new Map<string, { readonly ajv: Ajv; sharings: number }>();

/**
 * Validates a schema against its dialect's meta-schema, which is compiled once. Returns the errors, if there are any.
 */
function findSchemaError(schema: JsonSchema, dialect: Dialect): string | undefined {
  const judge =
    metaValidators.get(dialect) ?? createAjv({ dialect, fillsDefaults: false, reportsAll: false });
  metaValidators.set(dialect, judge);
  const isValid = judge.validateSchema(schema) === true;
  const schemaError = isValid ? undefined : judge.errorsText(judge.errors, { dataVar: '' });
  judge.errors = null;
  return schemaError;
}

/** Returns an ajv instance: a shared one, or a separate one for a schema with an `$id`. */
function getAjv(needs: AjvNeeds): Ajv {
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

/**
 * Loads the compiler for the first schema that needs it, so an application with only Zod schemas starts without it.
 */
function loadAjv(dialect: Dialect): new (options: Options) => Ajv {
  return dialect === 'draft-07' ? packages.loadAjv() : packages.loadAjv2020();
}

/**
 * For a value with more properties than this, only the first error is reported, because collecting all of them would
 * let a client fill the memory.
 */
const MOST_EXPLAINED_MEMBERS = 1_000;

const DIALECTS = new Map<unknown, Dialect>([
  [undefined, 'draft-2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', 'draft-2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/**
 * Compiles a draft 2020-12 or draft-07 JSON Schema object. Unknown keywords are preserved and ignored. Defaults are
 * filled into a copy of the arguments. The schema is compiled immediately, which is fast and reports invalid schemas
 * at startup. A result that does not match is revalidated in the JSON form that clients receive, in which dates,
 * database records and absent properties may match.
 *
 * @throws {SchemaError} if the schema is invalid, refers outside itself, or is an input schema for anything other
 * than an object
 * @see MCP 2026-07-28 basic, JSON Schema usage
 */
export function compileJsonSchema(source: JsonSchema, direction: SchemaDirection): CompiledSchema {
  const jsonSchema = freezeSchema(source, direction);
  const dialect = parseDialect(jsonSchema['$schema'], direction);
  if (direction === 'input') assertObject(jsonSchema);
  const subschemas = [...findSubschemas(jsonSchema)];
  const schemaError = compileWith(() => findSchemaError(jsonSchema, dialect), direction);
  if (schemaError !== undefined) {
    const isTuple = ({ keywords }: Subschema): boolean => Array.isArray(keywords['items']);
    if (dialect !== 'draft-07' && subschemas.some(isTuple)) throw SchemaError.tupleInItems(direction);
    throw SchemaError.invalid(direction, schemaError);
  }
  assertReferences(subschemas, direction);
  const needs: AjvNeeds = {
    dialect,
    reportsAll: false,
    fillsDefaults: direction === 'input' && subschemas.some(({ keywords }) => 'default' in keywords),
    hasIdentity: subschemas.some(({ keywords }) => '$id' in keywords),
  };
  return {
    jsonSchema: inlineReferences(jsonSchema),
    validate: createValidate(jsonSchema, needs, direction),
  };
}

/**
 * Compiles a schema that another server lists. It accepts any value: the other server validates.
 *
 * @throws {SchemaError} if it is too large, or an input schema for anything other than an object
 */
export function compileListedSchema(source: JsonSchema, direction: SchemaDirection): CompiledSchema {
  const given = freezeSchema(source, direction);
  if (direction === 'input') assertObject(given);
  return {
    jsonSchema: inlineReferences(given),
    original: findDialect(given['$schema']) === 'draft-2020-12' ? given : undefined,
    validate: (value) => ({ valid: true, value }),
  };
}

function assertObject({ type, $ref }: JsonSchema): void {
  if (type === 'object') return;
  throw type === undefined && $ref !== undefined
    ? SchemaError.referenceAtRoot('input', $ref)
    : SchemaError.notAnObject('input', type);
}

function parseDialect(name: unknown, direction: SchemaDirection): Dialect {
  const dialect = findDialect(name);
  if (dialect === undefined) throw SchemaError.unknownDialect(direction, name);
  return dialect;
}

function findDialect(name: unknown): Dialect | undefined {
  return DIALECTS.get(typeof name === 'string' ? name.replace(/#$/, '') : name);
}

function createValidate(
  schema: JsonSchema,
  needs: AjvNeeds,
  direction: SchemaDirection,
): CompiledSchema['validate'] {
  const check = compile(schema, needs, direction);
  const prepare = needs.fillsDefaults ? copyJson : (value: unknown) => value;
  let explain: ValidateFunction | undefined;

  function findIssues(value: unknown): readonly ValidationIssue[] {
    if (!hasAtMost(value, MOST_EXPLAINED_MEMBERS)) return takeIssues(check);
    explain ??= compile(schema, { ...needs, reportsAll: true }, direction);
    explain(prepare(value));
    return takeIssues(explain);
  }

  function refuse(value: unknown): ValidationOutcome {
    return { valid: false, issues: findIssues(value) };
  }

  return (value) => {
    const prepared = prepare(value);
    if (check(prepared)) return { valid: true, value: prepared };
    const copy = direction === 'output' ? findJsonCopy(value) : undefined;
    if (copy === undefined) return refuse(value);
    return check(copy) ? { valid: true, value: copy } : refuse(copy);
  };
}

/** Errors reference the validated value, so they are removed from the long-lived validator. */
function takeIssues(validate: ValidateFunction): ValidationIssue[] {
  const errors = validate.errors ?? [];
  validate.errors = null;
  return buildAjvIssues(errors);
}

function compile(schema: JsonSchema, needs: AjvNeeds, direction: SchemaDirection): ValidateFunction {
  const ajv = getAjv(needs);
  const validate = compileWith(() => ajv.compile(schema), direction);
  ajv.removeSchema(schema);
  if ('$async' in validate) throw SchemaError.asynchronous(direction);
  return validate;
}

function compileWith<Result>(compileNow: () => Result, direction: SchemaDirection): Result {
  try {
    return compileNow();
  } catch (cause) {
    if (cause instanceof EvalError) throw SchemaError.noCodeGeneration(direction, cause);
    throw SchemaError.invalid(direction, cause);
  }
}

/** Returns whether a JSON value has at most the given number of properties, without counting any further. */
function hasAtMost(value: unknown, most: number): boolean {
  const pending = [value];
  let count = 0;
  while (pending.length > 0) {
    count += 1;
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (count + pending.length + members.length > most) return false;
    pending.push(...members);
  }
  return true;
}

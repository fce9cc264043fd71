import { show, showPath } from './show.js';
import { findHostProblems, type HostProblem } from '../protocol/hosts/find-host-problems.js';
import { followReference } from '../protocol/json-schema.js';
import { isObject } from '../protocol/json-rpc.js';

/** A server's lists as received, without any validation. */
export interface ListedCatalog {
  /** The instructions for models. */
  readonly instructions?: unknown;
  readonly tools?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly resourceTemplates?: readonly unknown[];
  /** Whether the server lists more entries. @default false */
  readonly isCut?: boolean;
}

/** The kinds of listed entries. */
export const LISTED_KINDS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

/** Comparing long names is slow. */
const LONGEST_NAME = 200;

/** A listed entry, as the rules see it. */
export interface ReadItem {
  /** Its name in a finding, such as `tool "find_ticket"`. */
  readonly subject: string;
  /** Its identifier among its kind: its name or URI. */
  readonly key: unknown;
  readonly name: string;
  readonly description: string;
  /** The whole entry as listed. */
  readonly listed: Readonly<Record<string, unknown>>;
}

/** A tool, with everything a model sees of it. */
export interface ReadTool extends ReadItem, ReadParameters {
  readonly annotations: Readonly<Record<string, unknown>>;
  /** What common hosts refuse. */
  readonly hostProblems: readonly HostProblem[];
  /**
   * The number of tokens in the name, description and input schema; absent if they are nested too deeply to
   * serialize.
   */
  readonly tokens: number | undefined;
}

/** A catalog, as the rules see it. */
export interface ReadCatalog {
  /** Absent if unknown. */
  readonly instructions: string | undefined;
  readonly tools: readonly ReadTool[];
  readonly prompts: readonly ReadItem[];
  readonly resources: readonly ReadItem[];
  readonly resourceTemplates: readonly ReadItem[];
  /** All of them. */
  readonly items: readonly ReadItem[];
  /** Whether it contains all parameters of all tools. */
  readonly isWhole: boolean;
}

/** The maximum number of parameters across all tools, because more would take minutes. */
const MOST_PARAMETERS = 50_000;

/** Reads a server's lists, whether or not they are valid. */
export function readCatalog(given: ListedCatalog): ReadCatalog {
  const tools: ReadTool[] = [];
  let left = MOST_PARAMETERS;
  for (const one of given.tools ?? []) {
    const tool = readTool(one, left);
    left -= tool.parameters.length;
    tools.push(tool);
  }
  const prompts = (given.prompts ?? []).map((one) => readItem(one, 'prompt', 'name'));
  const resources = (given.resources ?? []).map((one) => readItem(one, 'resource', 'uri'));
  const templates = (given.resourceTemplates ?? []).map((one) =>
    readItem(one, 'resource template', 'uriTemplate'),
  );
  const { instructions } = given;
  return {
    instructions: 'instructions' in given ? readText(instructions) : undefined,
    tools,
    prompts,
    resources,
    resourceTemplates: templates,
    items: [...tools, ...prompts, ...resources, ...templates],
    isWhole: tools.every(({ isWhole }) => isWhole),
  };
}

function readTool(given: unknown, mostParameters: number): ReadTool {
  const item = readItem(given, 'tool', 'name');
  const { name, inputSchema, outputSchema, annotations } = item.listed;
  return {
    ...item,
    ...readParameters(inputSchema, mostParameters),
    annotations: isObject(annotations) ? annotations : {},
    hostProblems: findHostProblems({ name, inputSchema, outputSchema }),
    tokens: countTokens(item.listed),
  };
}

function readItem(given: unknown, kind: string, member: string): ReadItem {
  const listed = isObject(given) ? given : {};
  const key = listed[member];
  return {
    subject: `${kind} ${show(key)}`,
    key,
    name: readText(listed['name']).slice(0, LONGEST_NAME),
    description: readText(listed['description']),
    listed,
  };
}

/** The part of a tool that a host passes to a model, possibly rewritten. */
function countTokens({ name, description, inputSchema }: ReadItem['listed']): number | undefined {
  try {
    return estimateTokens(JSON.stringify({ name, description, inputSchema }));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** The pieces that tokenizers first split their input into: letters, digits, signs, spaces. */
const PIECE = /\p{L}[\p{L}\p{M}]*|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu;

/** The parts of a name such as `parseHTTPResponse`, each of which tokenizers treat as a word. */
const INNER_WORD = /[A-Z]?[a-z]+|[A-Z]+/g;

/** The estimate for a longer input is extrapolated from its beginning. */
const LONGEST = 500_000;

const ASCII = /^[\0-\x7f]*$/;
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/**
 * Estimates a model's token count: English words count once, longer ones several times, and symbols in groups of
 * four. For English tool lists, the estimate is within 10 % of `o200k_base` and `cl100k_base`; for other languages,
 * within 30 %.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.slice(0, LONGEST).matchAll(PIECE)) tokens += estimatePiece(piece);
  return Math.ceil(tokens * Math.max(1, text.length / LONGEST));
}

function estimatePiece(piece: string): number {
  const isAscii = ASCII.test(piece);
  if (/^\p{L}/u.test(piece)) return isAscii ? estimateWords(piece) : estimateOther(piece);
  if (/^\p{N}/u.test(piece)) return 1;
  // A single space belongs to the following word.
  if (/^\s/.test(piece)) return piece.length > 1 ? 1 : 0;
  return isAscii ? Math.ceil(piece.length / 4) : piece.length;
}

function estimateWords(letters: string): number {
  let tokens = 0;
  for (const [word] of letters.matchAll(INNER_WORD)) tokens += Math.max(1, Math.ceil((word.length - 3) / 8));
  return tokens;
}

function estimateOther(letters: string): number {
  return Math.ceil(ALPHABETIC.test(letters) ? letters.length / 4 : letters.length * 0.75);
}

/** A tool parameter: a property of the arguments object, or of an object nested in it. */
export interface ReadParameter {
  readonly name: string;
  /** Its path, for example `properties.address.properties.zip`, safe to show. */
  readonly path: string;
  /** The parameter's schema, with its reference resolved. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  /** The number of enclosing objects: 1 for a property of the arguments. */
  readonly depth: number;
}

/** The arguments object, or an object nested in it. */
export interface ReadObject {
  readonly path: string;
  readonly members: ReadonlySet<string>;
  readonly required: readonly string[];
  /** Whether unlisted properties are allowed. */
  readonly isOpen: boolean;
}

/** The parts of an argument schema. */
export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  readonly objects: readonly ReadObject[];
  /** Whether nothing was omitted. */
  readonly isWhole: boolean;
}

/** Larger or deeper schemas from other servers are not read completely. */
const MOST_SCHEMAS = 2_000;
/** The number of steps from the root: two per nested object. */
const LONGEST_PLACE = 64;
const MOST_HOPS = 8;

const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'];
const LISTS = ['required', ...ALTERNATIVES];

interface SchemaPosition {
  readonly schema: unknown;
  readonly path: readonly string[];
  readonly depth: number;
}

/** Reads the parameters of an input schema and of its inner objects, up to a limit. A recursive schema is read once. */
export function readParameters(root: unknown, mostParameters: number): ReadParameters {
  const most = Math.min(MOST_SCHEMAS, mostParameters);
  const parameters: ReadParameter[] = [];
  const objects: ReadObject[] = [];
  const seen = new Set<object>();
  const pending: SchemaPosition[] = [{ schema: root, path: [], depth: 0 }];
  let isWhole = true;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (parameters.length >= most || seen.size >= MOST_SCHEMAS)
      return { parameters, objects, isWhole: false };
    const schema = resolve(root, place.schema);
    if (schema === undefined || seen.has(schema)) continue;
    const isDeep = place.path.length > LONGEST_PLACE;
    isWhole &&= !isDeep && !isTooLong(schema);
    if (isDeep) continue;
    seen.add(schema);
    const members = readMembers(root, schema, place);
    parameters.push(...members.map(({ parameter }) => parameter));
    if (isObject(schema['properties']) || Array.isArray(schema['required']))
      objects.push(readShape(schema, place));
    pending.push(...listInner(schema, place), ...members.map(({ inner }) => inner).toReversed());
  }
  return { parameters, objects, isWhole };
}

/** Returns whether a list in a schema is longer than the limit. */
function isTooLong(schema: Readonly<Record<string, unknown>>): boolean {
  return LISTS.some((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) && list.length > MOST_SCHEMAS;
  });
}

function readMembers(
  root: unknown,
  { properties }: Readonly<Record<string, unknown>>,
  { path, depth }: SchemaPosition,
) {
  if (!isObject(properties)) return [];
  return Object.keys(properties)
    .slice(0, MOST_SCHEMAS)
    .map((name) => {
      const given = properties[name];
      const resolved = resolve(root, given);
      // Keywords next to a reference belong to this parameter.
      const schema = { ...resolved, ...(isObject(given) && given) };
      const inner = [...path, 'properties', name];
      const { description } = schema;
      return {
        inner: { schema: given, path: inner, depth: depth + 1 },
        parameter: {
          name,
          path: showPath(inner),
          schema,
          description: typeof description === 'string' ? description : '',
          depth: depth + 1,
        },
      };
    });
}

function readShape(schema: Readonly<Record<string, unknown>>, { path }: SchemaPosition): ReadObject {
  const { properties, required, patternProperties, additionalProperties } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const isUnion = ALTERNATIVES.some((keyword) => keyword in schema);
  return {
    path: showPath(path),
    members: new Set(isObject(properties) ? Object.keys(properties) : []),
    required: names.slice(0, MOST_SCHEMAS).filter((name) => typeof name === 'string'),
    isOpen: patternProperties !== undefined || isObject(additionalProperties) || isUnion,
  };
}

/** Array items and alternatives have the same depth as the parameter itself. */
function listInner(
  schema: Readonly<Record<string, unknown>>,
  { path, depth }: SchemaPosition,
): SchemaPosition[] {
  const inner: SchemaPosition[] = [];
  const { items } = schema;
  if (isObject(items)) inner.push({ schema: items, path: [...path, 'items'], depth });
  for (const keyword of ALTERNATIVES) {
    const alternatives = schema[keyword];
    if (!Array.isArray(alternatives)) continue;
    for (const [index, one] of alternatives.slice(0, MOST_SCHEMAS).entries())
      inner.push({ schema: one, path: [...path, keyword, String(index)], depth });
  }
  return inner;
}

function resolve(root: unknown, given: unknown): Readonly<Record<string, unknown>> | undefined {
  let schema = given;
  for (let hop = 0; hop < MOST_HOPS && isObject(schema) && typeof schema['$ref'] === 'string'; hop += 1)
    schema = followReference(root, schema);
  return isObject(schema) ? schema : undefined;
}

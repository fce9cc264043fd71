import { findHostProblems, type HostProblem } from '../protocol/hosts/find-host-faults.js';
import { isObject } from '../protocol/json-rpc.js';
import type { ListedCatalog } from './listed-catalog.interface.js';
import { readParameters, type ReadParameters } from './read-parameters.js';
import { show } from './show.js';

/** Comparing names gets slow if they are long. */
const LONGEST_NAME = 200;

/** A listed entry, as the rules see it. */
export interface ReadItem {
  /** Its name in a finding, such as `tool "find_ticket"`. */
  readonly subject: string;
  /** What identifies it among its kind: its name or URI. */
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
  /** The tokens of name, description and input schema; nothing if they are nested too deeply to serialize. */
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
  /** Whether it has all parameters of all tools. */
  readonly isWhole: boolean;
}

/** The maximum parameters of all tools together: more would require minutes. */
const MOST_PARAMETERS = 50_000;

/** Reads what a server lists, whether or not it is valid. */
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

/** What a host passes to a model, though it may rewrite it. */
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

/** The pieces into which tokenizers first split their input: letters, digits, signs, spaces. */
const PIECE = /\p{L}[\p{L}\p{M}]*|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu;

/** Parts of a name such as `parseHTTPResponse`. Tokenizers see each part as a word. */
const INNER_WORD = /[A-Z]?[a-z]+|[A-Z]+/g;

/** The estimate of a longer input is extrapolated from its beginning. */
const LONGEST = 500_000;

const ASCII = /^[\0-\x7f]*$/;
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/**
 * Estimates a model's token count: English words count once, longer ones more often, signs in groups of four. For
 * English tool lists, the estimate is within 10 % of `o200k_base` and `cl100k_base`; for other languages, within 30 %.
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

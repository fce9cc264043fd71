import { findHostFaults, type HostFault } from '../protocol/hosts/find-host-faults.js';
import { isObject } from '../protocol/json-rpc.js';
import type { ListedCatalog } from './listed-catalog.interface.js';
import { readParameters, type ReadParameters } from './read-parameters.js';
import { show } from './show.js';

/** Names are compared, which takes long if they are long. */
const LONGEST_NAME = 200;

/** Something that is listed, as the rules look at it. */
export interface ReadItem {
  /** Names it in a finding, such as `tool "find_ticket"`. */
  readonly subject: string;
  /** What tells it from others of its kind: its name, or its URI. */
  readonly key: unknown;
  readonly name: string;
  readonly description: string;
  /** All that is listed of it. */
  readonly listed: Readonly<Record<string, unknown>>;
}

/** A tool, with what a model is told about it. */
export interface ReadTool extends ReadItem, ReadParameters {
  readonly annotations: Readonly<Record<string, unknown>>;
  /** What common hosts refuse. */
  readonly hostFaults: readonly HostFault[];
  /** What name, description and input schema come to; nothing if they are nested too deeply to be written. */
  readonly tokens: number | undefined;
}

/** A catalog, as the rules look at it. */
export interface ReadCatalog {
  /** Absent if it is not known whether there are any. */
  readonly instructions: string | undefined;
  readonly tools: readonly ReadTool[];
  readonly prompts: readonly ReadItem[];
  readonly resources: readonly ReadItem[];
  readonly resourceTemplates: readonly ReadItem[];
  /** All of them. */
  readonly items: readonly ReadItem[];
  /** Whether all parameters of all tools are here. */
  readonly isWhole: boolean;
}

/** Parameters of all tools that are read: more would take minutes. */
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
    hostFaults: findHostFaults({ name, inputSchema, outputSchema }),
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

/** What a host hands on to a model; it may write the rest in other words. */
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

/** What tokenizers split a text into first, before they look words up: letters, digits, signs, spaces. */
const PIECE = /\p{L}[\p{L}\p{M}]*|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\s+/gu;

/** Parts of a name such as `parseHTTPAnswer`. Each part is a word for a tokenizer. */
const INNER_WORD = /[A-Z]?[a-z]+|[A-Z]+/g;

/** A longer text is judged by its beginning. */
const LONGEST = 500_000;

const ASCII = /^[\0-\x7f]*$/;
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/**
 * Estimates how many tokens a text is for a model: words of English count once, longer ones more often, signs by fours. For
 * English lists of tools, the estimate is within 10 % of `o200k_base` and `cl100k_base`. For other languages, it is within
 * 30 %.
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
  // One space belongs to the word behind it.
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

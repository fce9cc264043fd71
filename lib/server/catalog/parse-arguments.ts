import { isObject, type Params } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { PromptEntry, ToolEntry } from './entries.js';
import type { JsonSchema, ValidationOutcome } from '../schema/compiled-schema.interface.js';
import { formatIssues } from '../schema/validation-issues.js';
import { SchemaReader, coerceArguments } from '../schema/coerce-arguments.js';
import { Logger } from '../../core/logger/logger.js';
import type { RequestContext } from '../context/request-context.js';
import { formatLine } from '../log/format-line.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { selectStructureBounds } from '../settings/limit-options.js';

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads a tool's arguments, as the client sent them.
 *
 * @throws {McpError} -32602 if they are not an object
 */
export function readToolArguments({ arguments: given = {} }: Params): object {
  if (isObject(given)) return given;
  throw McpError.invalidParams('"arguments" must be an object');
}

/**
 * Parses a prompt's arguments.
 *
 * @throws {McpError} -32602 if the prompt does not accept them
 */
export async function parsePromptArguments(prompt: PromptEntry, given: unknown): Promise<unknown> {
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) {
    throw McpError.invalidParams('"arguments" must be an object with string values');
  }
  if (prompt.input === undefined) return assertRequired(prompt, given);
  const outcome = await prompt.input.validate(dropBlanks(prompt.input.jsonSchema, given));
  if (!outcome.valid) throw McpError.invalidParams(formatIssues(outcome.issues));
  return outcome.value;
}

/** Hosts send an empty string for a field left blank, which would be read as the number 0. */
function dropBlanks({ properties }: JsonSchema, given: Given): Given {
  const filled = Object.entries(given).filter(
    ([name, value]) => value !== '' || acceptsBlank(properties, name),
  );
  return Object.fromEntries(filled);
}

function acceptsBlank(properties: unknown, name: string): boolean {
  const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (!isObject(schema)) return true;
  const { format, minLength = 0 } = schema;
  return format === undefined && minLength === 0 && new SchemaReader(schema).accepts([schema], '');
}

function assertRequired(prompt: PromptEntry, given: Given): unknown {
  for (const { name, required } of prompt.definition.arguments ?? []) {
    if (required === true && !Object.hasOwn(given, name)) {
      throw McpError.invalidParams(`the argument "${name}" is required`);
    }
  }
  return given;
}

type Outcome = ValidationOutcome | Promise<ValidationOutcome>;

/** A call whose arguments are validated. */
export interface ValidatedCall {
  readonly given: object;
  readonly context: RequestContext;
  readonly settings: Pick<ServerSettings, 'arguments' | 'limits'>;
}

const logger = new Logger('Mcp');

/**
 * Validates a tool's arguments. If they are invalid and the tool allows repairs, they are repaired and validated once
 * more.
 */
export function validateArguments(tool: ToolEntry, call: ValidatedCall): Outcome {
  const outcome = tool.input.validate(call.given);
  if (!(tool.options.repairArguments ?? call.settings.arguments.repair)) return outcome;
  return outcome instanceof Promise
    ? outcome.then((settled) => retry(tool, settled, call))
    : retry(tool, outcome, call);
}

/** If the repaired arguments are invalid too, the issues of the original arguments are reported. */
function retry(tool: ToolEntry, outcome: ValidationOutcome, call: ValidatedCall): Outcome {
  if (outcome.valid) return outcome;
  const { given, settings } = call;
  const repaired = coerceArguments(tool.input.jsonSchema, given, selectStructureBounds(settings));
  if (repaired === undefined) return outcome;

  const settle = (second: ValidationOutcome): ValidationOutcome => {
    if (!second.valid) return outcome;
    note(tool, repaired.paths, call);
    return second;
  };
  const second = tool.input.validate(repaired.value);
  return second instanceof Promise ? second.then(settle) : settle(second);
}

function note({ key }: ToolEntry, paths: readonly string[], { context }: ValidatedCall): void {
  context.operation?.noteRepair(key, paths.length);
  const names = JSON.stringify(paths.join(', ').slice(0, LONGEST_NAMES));
  logger.debug(formatLine(`Arguments of the tool "${key}" were repaired: ${names}`, context));
}

const LONGEST_NAMES = 200;

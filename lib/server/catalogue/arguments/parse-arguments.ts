import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { PromptEntry } from '../entries.js';
import type { JsonSchema } from '../../schema/compiled-schema.interface.js';
import { formatIssues } from '../../schema/format-issues.js';
import { SchemaReader } from '../../schema/repair/schema-reader.js';

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments of a tool, as the client sent them.
 *
 * @throws {McpError} -32602 if they are no object
 */
export function readToolArguments({ arguments: given = {} }: Params): object {
  if (isObject(given)) return given;
  throw McpError.invalidParams('"arguments" must be an object');
}

/**
 * Returns the arguments of a prompt as its handler takes them.
 *
 * @throws {McpError} -32602 if they are not what the prompt takes
 */
export async function parsePromptArguments(prompt: PromptEntry, given: unknown): Promise<unknown> {
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) {
    throw McpError.invalidParams('"arguments" must be an object whose members are strings');
  }
  if (prompt.input === undefined) return assertRequired(prompt, given);
  const outcome = await prompt.input.validate(dropBlanks(prompt.input.jsonSchema, given));
  if (!outcome.valid) throw McpError.invalidParams(formatIssues(outcome.issues));
  return outcome.value;
}

/** Hosts send an empty string for a field that was left blank. A number that is read from it would be 0. */
function dropBlanks({ properties }: JsonSchema, given: Given): Given {
  const kept = Object.entries(given).filter(([name, value]) => value !== '' || takesBlank(properties, name));
  return Object.fromEntries(kept);
}

function takesBlank(properties: unknown, name: string): boolean {
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

import type { OpenObject } from '../../../core/protocol/capabilities.js';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { ExtensionContext } from '../../dispatch/extension.interface.js';
import { parseAfter } from '../../methods/lists/list-pages.js';
import type { CompiledSchema } from '../../schema/compiled-schema.interface.js';
import { formatIssues } from '../../schema/validation-issues.js';
import type { EventSourceEntry } from './feeds/event-source-entry.js';
import type { RequestedPosition } from './feeds/find-position.js';

const SECOND_MS = 1000;

/**
 * Reads an event name.
 *
 * @throws {McpError} -32602 if there is none
 */
export function parseName({ name }: Params): string {
  if (typeof name === 'string') return name;
  throw McpError.invalidParams('"name" must be the name of an event in "events/list"');
}

/**
 * Parses a subscription's arguments and checks the scopes that it requires for them.
 *
 * @throws {McpError} -32602 if they do not match the source's schema
 * @throws {AuthError} if the caller lacks a scope of the source
 */
export async function parseArguments(
  { name, input, access }: EventSourceEntry,
  context: ExtensionContext,
): Promise<OpenObject> {
  const { auth } = context;
  const dynamic = access?.dynamic;
  if (access === undefined || dynamic === undefined) return parseGiven(input, context.params);
  try {
    const given = await parseGiven(input, context.params);
    const computed = await dynamic.resolve({
      kind: 'eventSource',
      name,
      arguments: given,
      variables: {},
      context,
    });
    if (access.scopes.length + computed.length > 0) auth.requireScope(...access.scopes, ...computed);
    return given;
  } catch (failure) {
    // A caller without the static scopes must not learn what is wrong with the arguments.
    if (failure instanceof McpError && access.scopes.length > 0) auth.requireScope(...access.scopes);
    throw failure;
  }
}

async function parseGiven(input: CompiledSchema, params: Params): Promise<OpenObject> {
  const outcome = await input.validate(params['arguments']);
  if (outcome.valid && isObject(outcome.value)) return outcome.value;
  const issues = outcome.valid ? [] : outcome.issues;
  throw McpError.invalidParams(`"arguments" do not match "inputSchema": ${formatIssues(issues)}`);
}

/**
 * Parses the position from which a client wants events. It also accepts an age in seconds, as in earlier drafts.
 *
 * @throws {McpError} -32602 if a parameter is invalid
 */
export function parsePosition({ cursor, maxAgeMs, maxAge }: Params): RequestedPosition {
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
    throw McpError.invalidParams(
      '"cursor" must be a cursor from the server, or null to receive only new events',
    );
  }
  const ageMs = parseCount('maxAgeMs', maxAgeMs);
  const ageSeconds = parseCount('maxAge', maxAge);
  return {
    cursor: cursor ?? undefined,
    maxAgeMs: ageMs ?? (ageSeconds === undefined ? undefined : ageSeconds * SECOND_MS),
  };
}

/**
 * Parses the cursor of a list page.
 *
 * @throws {McpError} -32602 if the cursor is not from this list
 */
export function parsePage({ cursor }: Params): number {
  return parseAfter('events', cursor ?? undefined);
}

/**
 * Parses the maximum number of events that a client requests.
 *
 * @throws {McpError} -32602 if it is not a valid number of events
 */
export function parseMaxEvents({ maxEvents }: Params): number | undefined {
  return parseCount('maxEvents', maxEvents);
}

/** Clients in some programming languages send 0 for an absent number. */
function parseCount(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null || value === 0) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw McpError.invalidParams(`"${name}" must be a whole number greater than 0`);
}

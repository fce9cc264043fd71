import { entriesOf } from './entries.js';
import { perRequest, type SessionClient } from './json-rpc.js';
import type { JsonObject } from './message.js';

/**
 * Gives a tool as `tools/list` shows it.
 *
 * @throws Error where it is not listed
 */
export async function listedTool(url: string, name: string): Promise<JsonObject> {
  const { result } = await perRequest(url).request('tools/list');
  const found = entriesOf(result, 'tools').find((tool) => tool['name'] === name);
  if (found === undefined) throw new Error(`Expected the tool "${name}" in ${JSON.stringify(result)}`);
  return found;
}

/** Calls a tool on the stateless wire, and gives the text that a model reads; that of an error begins with `error: `. */
export async function callTool(url: string, name: string, given: unknown): Promise<string> {
  const { result, error } = await perRequest(url).request('tools/call', { name, arguments: given });
  if (error !== undefined) return `protocol error: ${error.message}`;
  const text = String(entriesOf(result, 'content')[0]?.['text']);
  return result?.['isError'] === true ? `error: ${text}` : text;
}

/**
 * Calls a tool in a session, and gives the text of its result.
 *
 * @throws Error where it has none
 */
export async function callToolIn(
  session: SessionClient,
  name: string,
  given: JsonObject = {},
): Promise<string> {
  return textOfCall(await session.start('tools/call', { name, arguments: given }).result());
}

/** Gives the first text of a tool's result. */
export function textOfCall(result: JsonObject | undefined): string {
  return String(entriesOf(result, 'content')[0]?.['text']);
}

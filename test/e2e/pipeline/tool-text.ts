import type { OutgoingHttpHeaders } from 'node:http';
import { initialize } from '../../support/clients/json-rpc.js';

/** What a call of a tool was answered with. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** The headers of the HTTP answer. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** Calls a tool in a session of its own. */
export async function callTool(
  url: string,
  name: string,
  args: object = {},
  headers: OutgoingHttpHeaders = {},
): Promise<ToolAnswer> {
  const session = await initialize(url, { headers });
  const answer = await session.request('tools/call', { name, arguments: args });
  if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
  const { content, isError = false } = answer.result as {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  return { isError, text: content[0]?.text ?? '', headers: answer.headers };
}

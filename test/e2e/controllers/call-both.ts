import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

/** Calls keep their connections: to open one takes longer than most of them. */
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** A request to a route, as a client of it writes it. */
export interface RouteCall {
  readonly method: string;
  /** The path below the global prefix, with encoded parameters. */
  readonly path: string;
  readonly query?: readonly (readonly [string, unknown])[];
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** What callers see of a call. */
export interface Seen {
  readonly isError: boolean;
  readonly text: string;
  readonly structured?: unknown;
}

/** Calls a tool. An incident id is left out, because each has its own. */
export async function callAsTool(
  url: string,
  name: string,
  given: JsonObject,
  headers: { readonly [name: string]: string } = {},
): Promise<Seen> {
  const { result, error } = await perRequest(url, { headers, agent }).request('tools/call', {
    name,
    arguments: given,
  });
  if (result === undefined) throw new Error(`Expected a result, got ${JSON.stringify(error)}`);
  const text = String(entriesOf(result, 'content')[0]?.['text']);
  const structured = result['structuredContent'];
  return {
    isError: result['isError'] === true,
    text: text.replace(/\(incident \w+\)/, '(incident)'),
    ...(structured !== undefined && { structured }),
  };
}

/** Calls a route over HTTP, and gives what its tool must give. The path is sent as it is: `fetch` would resolve dots. */
export async function callAsRoute(origin: string, call: RouteCall): Promise<Seen> {
  const { status, type, text } = await send(origin, call);
  if (status >= 500) return { isError: true, text: 'Internal error (incident)' };
  if (status >= 400) return { isError: true, text: formatProblem(JSON.parse(text) as Problem) };
  if (text === '') return { isError: false, text: call.method === 'GET' ? 'null' : 'Done' };
  const parsed: unknown = type.includes('json') ? JSON.parse(text) : undefined;
  const isStructured = typeof parsed === 'object' && parsed !== null;
  return { isError: false, text, ...(isStructured && { structured: parsed }) };
}

async function send(origin: string, { method, path, query = [], body, headers }: RouteCall) {
  const search = query
    .map((pair) => pair.map((part) => encodeURIComponent(part as string)).join('='))
    .join('&');
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(origin, {
    method,
    path: `/api${path}?${search}`,
    headers: { ...headers, ...type },
    agent,
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text };
}

/** Characters that lines for models do not have. */
const CONTROLS = /[^\S\n]|(?!\n)\p{C}/gu;

interface Problem {
  readonly message: string | readonly string[];
  readonly errors?: { readonly [name: string]: string };
}

function formatProblem({ message, errors = {} }: Problem): string {
  const lines = Object.entries(errors).map(([name, text]) => `${name}: ${text}`);
  return [...[message].flat(), ...lines].slice(0, 20).join('\n').replaceAll(CONTROLS, ' ');
}

import { failure, type Outcome, quote } from '../finding.js';
import { buildHandshaken } from './messages.js';
import type { McpResponse, Target } from '../target.js';
import { ErrorCode } from '../../protocol/error-codes.js';
import { isObject, type JsonObject } from '../../protocol/json-rpc.js';

/** Sends a request for a capability that the server declares. */
export type SendRequest = (
  method: string,
  params: { readonly [name: string]: unknown },
  headers?: { readonly [name: string]: string },
) => Promise<McpResponse>;

/** How to send requests to a server, and the capabilities it declares that way. */
export interface Requester {
  readonly request: SendRequest;
  readonly capabilities: { readonly [name: string]: unknown };
}

/**
 * Determines how to send requests for a capability that a server declares: in the session, without initialization, or
 * after initializing an unstored session. Returns `undefined` if the server does not declare it.
 */
export async function selectRequester(
  target: Target,
  isDeclared: (capabilities: Requester['capabilities']) => boolean,
): Promise<Requester | undefined> {
  const session = await target.session();
  const shaken = readCapabilities((await target.initialize()).result);
  if (isDeclared(shaken)) {
    const request: SendRequest = (method, params) =>
      target.send(buildHandshaken(method, params, session?.headers ?? {}));
    return { request, capabilities: shaken };
  }
  const discovered = readCapabilities((await target.discovery()).result);
  if (!isDeclared(discovered)) return undefined;
  const request: SendRequest = (method, params, headers) =>
    target.send(target.introductions.buildPerRequest(method, params), { headers: headers ?? {} });
  return { request, capabilities: discovered };
}

function readCapabilities(result: McpResponse['result']): Requester['capabilities'] {
  const capabilities: unknown = result?.['capabilities'];
  return isObject(capabilities) ? capabilities : {};
}

/** The number of pages to read; the rest of a longer list is not examined. */
const MOST_PAGES = 20;

/** The part of a response that shows whether it contains a page. */
export interface PageResponse {
  readonly status: number;
  readonly result: JsonObject | undefined;
  readonly error: JsonObject | undefined;
  readonly isComplete: boolean;
}

/** A list that a server returns in pages. */
export interface ListedPages {
  /** The entries read before the list ended or failed; absent if no page was read. */
  readonly entries: readonly unknown[] | undefined;
  /** What prevents clients from reading it; absent if there is no problem, or if the caller has no access to it. */
  readonly outcome?: Outcome | undefined;
}

/** Lists the tools of a server. Returns `undefined` if it declares none. */
export async function listTools(target: Target): Promise<ListedPages | undefined> {
  const asking = await selectRequester(target, ({ tools }) => isObject(tools));
  return asking && listPages((params) => asking.request('tools/list', params), 'tools/list', 'tools');
}

/** Requests a page: the first one, or the one after a cursor. */
type RequestPage = (params: { readonly cursor?: string }) => Promise<PageResponse>;

/**
 * Lists the entries that a method returns in pages. Reading stops after the last page, at a page that is refused or
 * too long, or at the limit.
 *
 * @param member the result property that contains the entries
 */
export async function listPages(ask: RequestPage, method: string, member: string): Promise<ListedPages> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let params: { readonly cursor?: string } = {};
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await ask(params);
    if (isRefused(answer)) return page > 0 ? { entries } : judgeRefusal(method, answer);
    const listed = answer.result?.[member];
    if (!Array.isArray(listed)) return { entries, outcome: judgeMissing(method, member) };
    entries.push(...(listed as readonly unknown[]));
    const cursor = answer.result?.['nextCursor'];
    if (typeof cursor !== 'string') break;
    if (cursors.has(cursor)) return { entries, outcome: judgeRepeated(method, cursor) };
    cursors.add(cursor);
    params = { cursor };
  }
  return { entries };
}

function isRefused({ status, result, error, isComplete }: PageResponse): boolean {
  return result === undefined && (error !== undefined || status >= 400 || !isComplete);
}

/** A refusal that depends on the caller or the moment reveals nothing about the list. */
function judgeRefusal(method: string, { status, error }: PageResponse): ListedPages {
  const isOfCaller = [401, 403, 429].includes(status) || error?.['code'] === ErrorCode.RateLimited;
  if (error === undefined || isOfCaller) return { entries: undefined };
  const reason = `${String(error['code']).slice(0, 12)} ${quote(error['message'])}`;
  const fix = 'Implement it, or do not declare it';
  return {
    entries: undefined,
    outcome: failure(`"${method}" is declared, but returns ${reason}`, fix),
  };
}

function judgeMissing(method: string, member: string): Outcome {
  return failure(`"${method}" returns no list of ${member}`, `Return "${member}", an array`);
}

function judgeRepeated(method: string, cursor: string): Outcome {
  return failure(
    `"${method}" returns the cursor ${quote(cursor)} twice: clients never reach the end`,
    'Give each page a different cursor, and the last page none',
  );
}

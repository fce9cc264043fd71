import { Query } from '../../cluster/cluster-bus.js';
import type { Authentication } from '../../context/authentication.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import type { JsonRpcErrorObject } from '../../../core/protocol/json-rpc.js';
import { findClient } from '../../telemetry/network.js';
import { allowExchange, findExchange } from '../../context/token-exchange.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { HttpExchange } from '../http/http-exchange.js';

/** A message that was posted to another process than the one that has the stream. That process treats it as if it had been posted there. */
export interface ForwardedPost {
  /** Names the post: one that comes again is taken once. */
  readonly post: string;
  readonly stream: string;
  /** What was posted, and what it takes of the heap. */
  readonly value: unknown;
  readonly heapBytes: number;
  readonly caller: ForwardedCaller;
}

/** Who posts, without the token. */
export interface ForwardedCaller {
  readonly authentication?:
    (Omit<Authentication, 'scopes'> & { readonly scopes: readonly string[] }) | undefined;
  /** Whether handlers could exchange the token, if it were passed on. */
  readonly hasExchange?: boolean;
  readonly address?: string | undefined;
  /** Where the client is, as logs and audits name it. */
  readonly client?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: HttpView['headers'];
}

/** What the process of the stream says: whether it has that stream for this caller, or why it does not take the message. */
export interface PostAnswer {
  readonly isKnown: boolean;
  readonly refusal?: {
    readonly error: JsonRpcErrorObject;
    readonly status: number;
  };
}

export const FORWARD_POST = new Query<ForwardedPost, PostAnswer>('sse.post');

/** Headers that carry what lets somebody in, by their names. */
const SECRET = /auth|cookie|token|secret|key|credential|password|session|signature/;

/** Says who posts. */
export function buildForwardedCaller(exchange: HttpExchange): ForwardedCaller {
  const { authentication, raw } = exchange;
  const headers = Object.entries(exchange.headers).filter(([name]) => !SECRET.test(name));
  return {
    authentication: authentication && { ...authentication, scopes: [...authentication.scopes] },
    hasExchange: authentication !== undefined && findExchange(authentication) !== undefined,
    address: exchange.address,
    client: findClient({ http: exchange })?.address,
    method: raw.method ?? 'POST',
    url: raw.url ?? '',
    headers: Object.fromEntries(headers),
  };
}

/** Returns the facts about the sender of a post. */
export function readAuthentication({
  authentication,
  hasExchange = false,
}: ForwardedCaller): Authentication | undefined {
  if (authentication === undefined) return undefined;
  const read = { ...authentication, scopes: new Set(authentication.scopes) };
  if (hasExchange) allowExchange(read, () => refuseExchange);
  return read;
}

function refuseExchange(): Promise<never> {
  const explanation =
    'has no token to exchange here: the message was posted to a process that does not have the stream, and tokens are not ' +
    'passed on. Route the messages of HTTP+SSE clients to the process of their stream, or have them use streamable HTTP';
  return Promise.reject(new McpConfigurationError('auth.exchange', explanation));
}

/** Returns the HTTP request as handlers see it: what the adapter knows of it stays where it came. */
export function readHttp({ method, url, headers, address, client }: ForwardedCaller): HttpView {
  const socket = { remoteAddress: client };
  return { headers, request: { method, url, headers, ip: address, socket } };
}

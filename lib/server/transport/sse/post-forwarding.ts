import { ASSUMED_REVISION, findRevision, type Revision } from '../../../core/protocol/revisions.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { type ClusterBus, ClusterBusError, type ClusterTimeouts, Query } from '../../cluster/cluster-bus.js';
import type { UpstreamAccess } from '../../auth/exchange/upstream-access.js';
import type { Authentication } from '../../context/authentication.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import { isObject, type JsonRpcErrorObject } from '../../../core/protocol/json-rpc.js';
import { findClient } from '../../telemetry/network.js';
import { allowExchange, findExchange } from '../../context/token-exchange.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { MeasuredJson } from '../../../core/protocol/measured-json.js';
import { parseMessage } from '../../../core/protocol/parse-message.js';
import { estimateRequests, type MemoryBudget } from '../../memory/memory-budget.js';
import type { Owners } from '../../cluster/owners.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import { describeRequest } from '../http/handlers/requests.js';
import type { DuplexCaller } from '../duplex/duplex-parts.js';
import type { SseConnections } from './sse-connections.js';

/**
 * Selects the revision for a client that continues without initializing: the version in its header, or else the
 * version that servers must assume by default. A header that names a stateless version selects none.
 *
 * @see MCP 2025-06-18 basic/transports, "Protocol Version Header"
 */
export function selectAssumedRevision({ headers }: Pick<HttpExchange, 'headers'>): Revision | undefined {
  const version = headers['mcp-protocol-version'];
  if (version === undefined) return ASSUMED_REVISION;
  const revision = typeof version === 'string' ? findRevision(version) : undefined;
  return revision?.kind === 'handshake' ? revision : undefined;
}

/** Whether the client had a stream before: it sends an event id or the negotiated version. */
export function isReturning({ headers }: Pick<HttpExchange, 'headers'>): boolean {
  return headers['last-event-id'] !== undefined || headers['mcp-protocol-version'] !== undefined;
}

/** A message for another process's stream, which that process handles as if it had received the POST itself. */
export interface ForwardedPost {
  /** Identifies the POST, so that a retry is handled once. */
  readonly post: string;
  readonly stream: string;
  /** The message, and its size on the heap. */
  readonly value: unknown;
  readonly heapBytes: number;
  readonly caller: ForwardedCaller;
}

/** The sender, without its token. */
export interface ForwardedCaller {
  readonly authentication?:
    (Omit<Authentication, 'scopes'> & { readonly scopes: readonly string[] }) | undefined;
  /** Whether handlers could exchange the token if it were forwarded. */
  readonly hasExchange?: boolean;
  readonly address?: string | undefined;
  /** The client's address for logs and audit events. */
  readonly client?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: HttpView['headers'];
}

/**
 * The reply from the stream's process: whether it has the stream for this caller, or why it rejected the message.
 */
export interface PostResponse {
  readonly isKnown: boolean;
  readonly refusal?: {
    readonly error: JsonRpcErrorObject;
    readonly status: number;
  };
}

export const FORWARD_POST = new Query<ForwardedPost, PostResponse>('sse.post');

/** Headers that carry credentials, by name. */
const SECRET = /auth|cookie|token|secret|key|credential|password|session|signature/;

/** Describes a POST's sender. */
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

/** Restores a POST's sender. */
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
    'forwarded. Route messages from HTTP+SSE clients to the process that has their stream, or have the clients use Streamable HTTP';
  return Promise.reject(new McpConfigurationError('auth.exchange', explanation));
}

/** Returns the HTTP request for handlers, without the adapter's objects. */
export function readHttp({ method, url, headers, address, client }: ForwardedCaller): HttpView {
  const socket = { remoteAddress: client };
  return { headers, request: { method, url, headers, ip: address, socket } };
}

/** The number of accepted POSTs to remember. A client retries only while it waits for the response. */
const MOST_TAKEN = 10_000;

const STREAM_ID = /^([0-9A-Za-z]{1,32})\.[\w-]{36}$/;

/** Forwards POSTs for other processes' streams, and receives POSTs for this process's streams. */
export class PostForwarding {
  readonly #taken = new Set<string>();
  #count = 0;

  constructor(
    private readonly bus: ClusterBus,
    private readonly owners: Owners,
    private readonly waits: ClusterTimeouts,
    private readonly connections: SseConnections,
    private readonly memory: MemoryBudget,
    private readonly upstream: Pick<UpstreamAccess, 'allow'>,
  ) {
    bus.respond(FORWARD_POST, (post) => this.#take(post));
  }

  /** Finds the other process that has a stream. Returns `undefined` for this process, or if no process has it. */
  findOwner(stream: string): string | undefined {
    const [, owner] = (this.bus.isShared && STREAM_ID.exec(stream)) || [];
    const isRemote = owner !== undefined && owner !== this.bus.member && this.bus.isMember(owner);
    return isRemote ? owner : undefined;
  }

  /**
   * Forwards a message to the process that {@link findOwner} returns.
   *
   * @returns whether that process has the stream for this caller
   * @throws {McpError} if it rejects the message, or with HTTP status 503 if it does not respond
   */
  async forward(exchange: HttpExchange, stream: string, message: MeasuredJson): Promise<boolean> {
    describe(exchange, message.value);
    const hold = this.memory.hold(
      exchange.caller,
      2 * message.heapBytes + estimateRequests(undefined, 0),
      true,
    );
    try {
      const answer = await this.#ask(stream, message, exchange);
      if (answer?.refusal !== undefined) {
        const { error, status } = answer.refusal;
        throw new McpError(error.code, error.message, error.data, status);
      }
      return answer?.isKnown === true;
    } finally {
      hold.release();
    }
  }

  async #ask(
    stream: string,
    { value, heapBytes }: MeasuredJson,
    exchange: HttpExchange,
  ): Promise<PostResponse | undefined> {
    this.#count += 1;
    const post = `${this.bus.member}:${this.#count}`;
    const member = this.findOwner(stream) ?? '';
    try {
      const body = { post, stream, value, heapBytes, caller: buildForwardedCaller(exchange) };
      const caller = nameSharer(exchange.caller);
      return await this.owners.ask(FORWARD_POST, body, { member, patienceMs: this.waits.postMs, caller });
    } catch (error) {
      if (error instanceof ClusterBusError) throw createUnreachableError();
      throw error;
    }
  }

  #take({ post, stream, value, heapBytes, caller }: ForwardedPost): PostResponse {
    if (this.#taken.has(post)) return { isKnown: true };
    try {
      const connection = this.connections.find(stream, readAuthentication(caller));
      if (connection === undefined) return { isKnown: false };
      this.#remember(post);
      connection.receive({ value, heapBytes }, this.#buildCaller(caller));
      return { isKnown: true };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      return { isKnown: true, refusal: { error: error.toJSON(), status: error.httpStatus ?? 400 } };
    }
  }

  #buildCaller(caller: ForwardedCaller): DuplexCaller {
    const authentication = readAuthentication(caller);
    // Every process can find the token of the identity provider.
    if (authentication !== undefined) this.upstream.allow(authentication);
    return {
      authentication,
      address: authentication === undefined ? caller.address : undefined,
      assumed: selectAssumedRevision(caller),
      http: readHttp(caller),
    };
  }

  #remember(post: string): void {
    this.#taken.add(post);
    const [oldest] = this.#taken;
    if (this.#taken.size > MOST_TAKEN && oldest !== undefined) this.#taken.delete(oldest);
  }
}

/** Describes the POST on its HTTP request's span, whichever process handles it. */
function describe({ authState }: HttpExchange, value: unknown): void {
  if (authState?.span === undefined || !isObject(value)) return;
  const inbound = parseMessage(value);
  if (inbound.kind === 'request') describeRequest(authState.span, inbound.message);
}

function createUnreachableError(): McpError {
  const text = 'The process that has the stream is unavailable at the moment: post the message again';
  return new McpError(ErrorCode.InternalError, text, undefined, 503);
}

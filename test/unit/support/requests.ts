import type { AuthView } from '../../../lib/server/context/auth-view.interface.js';
import type { HttpView } from '../../../lib/server/context/mcp-context.interface.js';
import type { Cancellable, Peer, ReplyChannel } from '../../../lib/server/context/peer.interface.js';
import { RequestContext } from '../../../lib/server/context/request-context.js';
import type { ClientCapabilities, ServerCapabilities } from '../../../lib/core/protocol/capabilities.js';
import type { JsonRpcRequest, RequestId } from '../../../lib/core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../../lib/core/protocol/outbound-message.js';
import { findRevision, type Revision } from '../../../lib/core/protocol/revisions.js';
import { SessionRegistry } from '../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../lib/server/sessions/session.js';
import { buildSettings } from './settings.js';

export const NEWEST_HANDSHAKE = '2025-11-25';
export const STATELESS = '2026-07-28';

export type Json = { readonly [name: string]: unknown };

/** Keeps what belongs to a request and comes before its response. */
export class RecordingChannel implements ReplyChannel {
  readonly sent: OutboundMessage[] = [];
  request: Cancellable | undefined;

  constructor(
    readonly takesMessages = true,
    readonly http?: HttpView,
  ) {}

  begin(request: Cancellable): void {
    this.request = request;
  }

  send(message: OutboundMessage): void {
    this.sent.push(message);
  }

  /** What was sent, as the client reads it. */
  get messages(): Json[] {
    return this.sent.map(({ json }) => JSON.parse(json) as Json);
  }
}

export function getRevision(version: string): Revision {
  const revision = findRevision(version);
  if (revision === undefined) throw new Error(`There is no revision ${version}`);
  return revision;
}

export function buildRequest(method: string, params?: object, id: RequestId = 1): JsonRpcRequest {
  return { jsonrpc: '2.0', id, method, ...(params && { params: params as Json }) };
}

/** Builds a peer of the stateless wire, or of another revision without a session. */
export function buildPeer(
  version = STATELESS,
  rest: Partial<Omit<Peer, 'client'>> & { readonly capabilities?: ClientCapabilities } = {},
): Peer {
  const { capabilities = {}, ...members } = rest;
  return { revision: getRevision(version), client: { capabilities }, ...members };
}

export interface SessionParts {
  readonly version?: string;
  readonly capabilities?: ClientCapabilities;
  readonly declared?: ServerCapabilities;
  /** @default true */
  readonly isLive?: boolean;
}

/** Opens a session in a registry, as a handshake does. */
export function openSession(
  registry = new SessionRegistry(buildSettings()),
  parts: SessionParts = {},
): Session {
  const { version = NEWEST_HANDSHAKE, capabilities = {}, declared = { logging: {} }, isLive = true } = parts;
  const session = registry.open({ revision: getRevision(version), client: { capabilities }, declared });
  if (isLive) registry.confirm(session);
  return session;
}

interface ContextParts {
  readonly auth?: AuthView | undefined;
  readonly params?: object;
  readonly id?: RequestId;
  readonly peer?: Peer;
  readonly channel?: ReplyChannel;
}

/** Builds the context of a request as the dispatcher does. */
export function buildContext(method: string, parts: ContextParts = {}): RequestContext {
  const { params, id, auth, peer = buildPeer(), channel = new RecordingChannel() } = parts;
  return new RequestContext(buildRequest(method, params, id), { peer, channel, auth });
}

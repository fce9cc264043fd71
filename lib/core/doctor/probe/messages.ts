import { MetaKey } from '../../protocol/meta-keys.js';
import { PER_REQUEST_VERSIONS } from '../../protocol/revisions.js';
import { isHeaderWord } from '../../words/words.js';

/** A message, with the headers that it needs in addition to the common ones. */
export interface ProbeMessage {
  readonly message: { readonly [member: string]: unknown };
  readonly headers: { readonly [name: string]: string };
}

/** The doctor's client name. */
export const DOCTOR_NAME = 'nestjs-mcp-doctor';

/** The name that a client identifies itself with. */
export interface ProbeClient {
  readonly name: string;
  readonly version: string;
}

/** The ID of every request here, because each is sent separately. */
const REQUEST_ID = 1;

/** The newest revision without initialization. */
export const NEWEST_PER_REQUEST_VERSION = PER_REQUEST_VERSIONS.at(-1) ?? '';

/** Builds the messages that a client uses to introduce itself. */
export class OpeningMessages {
  constructor(private readonly clientInfo: ProbeClient) {}

  /** Builds a revision's initialization request. */
  buildInitialize(protocolVersion: string, capabilities: object = {}): ProbeMessage {
    const params = { protocolVersion, capabilities, clientInfo: this.clientInfo };
    return { message: buildRequest('initialize', params), headers: {} };
  }

  /** Builds the discovery request for a server without initialization. */
  buildDiscover(): ProbeMessage {
    return this.buildPerRequest('server/discover');
  }

  /** Builds a request in the newest revision without initialization. */
  buildPerRequest(
    method: string,
    params: { readonly [name: string]: unknown } = {},
    capabilities: object = {},
  ): ProbeMessage {
    const _meta = {
      [MetaKey.protocolVersion]: NEWEST_PER_REQUEST_VERSION,
      [MetaKey.clientCapabilities]: capabilities,
      [MetaKey.clientInfo]: this.clientInfo,
    };
    const headers = { 'mcp-protocol-version': NEWEST_PER_REQUEST_VERSION, 'mcp-method': method };
    return { message: buildRequest(method, { ...params, _meta }), headers };
  }
}

/** Builds a request for use after initialization. */
export function buildHandshaken(
  method: string,
  params: { readonly [name: string]: unknown },
  headers: { readonly [name: string]: string },
): ProbeMessage {
  return { message: buildRequest(method, params), headers };
}

/** Builds a ping. */
export function buildPing(headers: { readonly [name: string]: string }): ProbeMessage {
  return { message: buildRequest('ping'), headers };
}

/** Builds the notification that completes initialization. */
export function buildInitialized(headers: { readonly [name: string]: string }): ProbeMessage {
  return { message: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers };
}

function buildRequest(method: string, params?: { readonly [name: string]: unknown }) {
  return { jsonrpc: '2.0', id: REQUEST_ID, method, ...(params && { params }) };
}

/**
 * Builds a request's headers in a session from the initialization response. A value that does not fit in a header is
 * omitted.
 */
export function buildSessionHeaders(id: unknown, version: unknown): { readonly [name: string]: string } {
  return {
    ...(isHeaderWord(id) && { 'mcp-session-id': id }),
    ...(isHeaderWord(version) && { 'mcp-protocol-version': version }),
  };
}

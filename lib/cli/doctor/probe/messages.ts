import { MetaKey } from '../../../core/protocol/meta-keys.js';
import { PER_REQUEST_VERSIONS } from '../../../core/protocol/revisions.js';
import { readOwnPackage } from '../../../core/package/own-package.js';

/** A message with the headers that it needs besides those of every message. */
export interface ProbeMessage {
  readonly message: { readonly [member: string]: unknown };
  readonly headers: { readonly [name: string]: string };
}

const CLIENT_INFO = { name: 'nestjs-mcp-doctor', version: readOwnPackage().version };

/** The id of every request here; each goes alone. */
const REQUEST_ID = 1;

/** The newest revision without a handshake. */
export const NEWEST_PER_REQUEST_VERSION = PER_REQUEST_VERSIONS.at(-1) ?? '';

/** Builds the handshake of a revision. */
export function buildInitialize(protocolVersion: string, capabilities: object = {}): ProbeMessage {
  const params = { protocolVersion, capabilities, clientInfo: CLIENT_INFO };
  return { message: buildRequest('initialize', params), headers: {} };
}

/** Builds the question what a server without handshake has to offer. */
export function buildDiscover(): ProbeMessage {
  return buildPerRequest('server/discover');
}

/** Builds a request of the newest revision without a handshake. */
export function buildPerRequest(
  method: string,
  params: { readonly [name: string]: unknown } = {},
  capabilities: object = {},
): ProbeMessage {
  const _meta = {
    [MetaKey.protocolVersion]: NEWEST_PER_REQUEST_VERSION,
    [MetaKey.clientCapabilities]: capabilities,
    [MetaKey.clientInfo]: CLIENT_INFO,
  };
  const headers = { 'mcp-protocol-version': NEWEST_PER_REQUEST_VERSION, 'mcp-method': method };
  return { message: buildRequest(method, { ...params, _meta }), headers };
}

/** Builds a request behind a handshake. */
export function buildHandshaken(
  method: string,
  params: { readonly [name: string]: unknown },
  headers: { readonly [name: string]: string },
): ProbeMessage {
  return { message: buildRequest(method, params), headers };
}

/** Builds what asks for a sign of life. */
export function buildPing(headers: { readonly [name: string]: string }): ProbeMessage {
  return { message: buildRequest('ping'), headers };
}

/** Builds what ends the handshake. */
export function buildInitialized(headers: { readonly [name: string]: string }): ProbeMessage {
  return { message: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers };
}

function buildRequest(method: string, params?: { readonly [name: string]: unknown }) {
  return { jsonrpc: '2.0', id: REQUEST_ID, method, ...(params && { params }) };
}

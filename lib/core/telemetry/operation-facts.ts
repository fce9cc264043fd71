import type { Attributes } from '@opentelemetry/api';
import type { Params, RequestId } from '../protocol/json-rpc.js';
import { Attribute, OTHER } from './attribute-names.js';

/** What carries messages. */
export interface NetworkFacts {
  /** `tcp` for HTTP, `pipe` for standard input and output; absent within a process. */
  readonly transport?: 'tcp' | 'pipe' | undefined;
  /** Such as `http`. */
  readonly protocolName?: string | undefined;
  /** Such as `1.1`. */
  readonly protocolVersion?: string | undefined;
}

/** Who is at the other end. */
export interface PeerAddress {
  readonly address: string;
  readonly port?: number | undefined;
}

/** One request or notification, as the conventions describe it. */
export interface OperationFacts {
  readonly method: string;
  readonly params?: Params | undefined;
  /** Absent for a notification. */
  readonly id?: RequestId | undefined;
  readonly version?: string | undefined;
  /** What the session is called, if there is one: its fingerprint, or its id if that is wanted. */
  readonly session?: string | undefined;
  readonly network?: NetworkFacts | undefined;
  /** The client, if a server describes the operation. */
  readonly client?: PeerAddress | undefined;
  /** The server, if a client describes the operation. */
  readonly server?: PeerAddress | undefined;
  /** Whether the method is a known one. Others have no series of their own in metrics. @default true */
  readonly hasKnownMethod?: boolean | undefined;
  /** Whether the tool or prompt is one of few; any other names neither the span nor a series. @default true */
  readonly hasKnownTarget?: boolean | undefined;
}

/** A session that has ended, as the conventions describe it. */
export interface SessionFacts extends Pick<OperationFacts, 'version' | 'network' | 'server'> {
  /** Absent if the session did not end with an error. */
  readonly errorType?: string | undefined;
}

/** The longest name of a method, a tool or a prompt that a span is named by. */
const LONGEST_NAME = 128;

/** Methods that are about one resource. */
const RESOURCE_METHODS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/resources/updated',
]);

/** Finds the tool or prompt that an operation is about. */
export function findTarget({ method, params }: OperationFacts): string | undefined {
  if (method !== 'tools/call' && method !== 'prompts/get') return undefined;
  const name = params?.['name'];
  return typeof name === 'string' ? name.slice(0, LONGEST_NAME) : undefined;
}

/** Names a span: `{mcp.method.name} {target}`, if the target is one of few. */
export function nameSpan(facts: OperationFacts): string {
  const method = facts.method.slice(0, LONGEST_NAME);
  const target = facts.hasKnownTarget === false ? undefined : findTarget(facts);
  return target === undefined ? method : `${method} ${target}`;
}

/** Describes an operation on a span. */
export function describeOperation(facts: OperationFacts): Attributes {
  const { method, params, id, session, client, server } = facts;
  const attributes: Attributes = { [Attribute.method]: method.slice(0, LONGEST_NAME) };
  describeTarget(attributes, method, findTarget(facts));
  describeConnection(attributes, facts);
  if (id !== undefined) attributes[Attribute.requestId] = String(id).slice(0, LONGEST_NAME);
  if (session !== undefined) attributes[Attribute.sessionId] = session;
  if (RESOURCE_METHODS.has(method)) {
    const uri = params?.['uri'];
    if (typeof uri === 'string') attributes[Attribute.resourceUri] = uri.slice(0, LONGEST_URI);
  }
  if (client !== undefined) {
    attributes[Attribute.clientAddress] = client.address;
    if (client.port !== undefined) attributes[Attribute.clientPort] = client.port;
  }
  describeServer(attributes, server);
  return attributes;
}

/**
 * Returns what a series of metrics is told apart by: nothing that callers choose freely. The names are in their order,
 * into which the SDK brings them for every measurement.
 */
export function describeSeries(facts: OperationFacts, version: string | undefined): Attributes {
  const { method, network, hasKnownMethod = true, hasKnownTarget = true } = facts;
  const attributes: Attributes = {};
  const target = findTarget(facts);
  describeTarget(attributes, method, hasKnownTarget ? target : target && OTHER);
  attributes[Attribute.method] = hasKnownMethod ? method : OTHER;
  describeConnection(attributes, { version, network });
  describeServer(attributes, facts.server);
  return attributes;
}

/** Returns the attributes of a series of sessions. */
export function describeSession({ version, network, server, errorType }: SessionFacts): Attributes {
  const attributes: Attributes = {};
  describeConnection(attributes, { version, network });
  describeServer(attributes, server);
  if (errorType !== undefined) attributes[Attribute.errorType] = errorType;
  return attributes;
}

const LONGEST_URI = 2048;

function describeTarget(attributes: Attributes, method: string, target: string | undefined): void {
  if (method === 'tools/call') {
    attributes[Attribute.operation] = 'execute_tool';
    if (target !== undefined) attributes[Attribute.tool] = target;
  } else if (method === 'prompts/get' && target !== undefined) {
    attributes[Attribute.prompt] = target;
  }
}

function describeConnection(
  attributes: Attributes,
  { version, network }: Pick<OperationFacts, 'version' | 'network'>,
): void {
  if (version !== undefined) attributes[Attribute.protocolVersion] = version;
  if (network?.protocolName !== undefined) attributes[Attribute.networkProtocol] = network.protocolName;
  if (network?.protocolVersion !== undefined) {
    attributes[Attribute.networkVersion] = network.protocolVersion;
  }
  if (network?.transport !== undefined) attributes[Attribute.transport] = network.transport;
}

function describeServer(attributes: Attributes, server: PeerAddress | undefined): void {
  if (server === undefined) return;
  attributes[Attribute.serverAddress] = server.address;
  if (server.port !== undefined) attributes[Attribute.serverPort] = server.port;
}

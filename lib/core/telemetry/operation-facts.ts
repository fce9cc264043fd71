import type { Attributes } from '@opentelemetry/api';
import { escapeText, redactCredentials } from '../log/escape-text.js';
import { isObject, type Params, type RequestId } from '../protocol/json-rpc.js';

/**
 * The attribute names of the semantic conventions.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Spans" and "Metrics"
 */
export const Attribute = {
  method: 'mcp.method.name',
  protocolVersion: 'mcp.protocol.version',
  sessionId: 'mcp.session.id',
  resourceUri: 'mcp.resource.uri',
  requestId: 'jsonrpc.request.id',
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  promptVariable: 'gen_ai.prompt.variable',
  statusCode: 'rpc.response.status_code',
  errorType: 'error.type',
  transport: 'network.transport',
  networkProtocol: 'network.protocol.name',
  networkVersion: 'network.protocol.version',
  clientAddress: 'client.address',
  clientPort: 'client.port',
  serverAddress: 'server.address',
  serverPort: 'server.port',
} as const;

/** A placeholder for a value without a name in the conventions (OpenTelemetry, `error.type`). */
export const OTHER = '_OTHER';

/** The network that carries messages. */
export interface NetworkFacts {
  /** `tcp` for HTTP, `pipe` for standard input and output; absent within a process. */
  readonly transport?: 'tcp' | 'pipe' | undefined;
  /** For example `http`. */
  readonly protocolName?: string | undefined;
  /** For example `1.1`. */
  readonly protocolVersion?: string | undefined;
}

/** The address of the other side. */
export interface PeerAddress {
  readonly address: string;
  readonly port?: number | undefined;
}

/** One request or notification, as described in the conventions. */
export interface OperationFacts {
  readonly method: string;
  readonly params?: Params | undefined;
  /** Absent for a notification. */
  readonly id?: RequestId | undefined;
  readonly version?: string | undefined;
  /** The session's fingerprint, or its ID if recorded; absent without a session. */
  readonly session?: string | undefined;
  readonly network?: NetworkFacts | undefined;
  /** The client, if a server describes the operation. */
  readonly client?: PeerAddress | undefined;
  /** The server, if a client describes the operation. */
  readonly server?: PeerAddress | undefined;
  /** Whether the method is known. Unknown ones do not appear in span names or metric series. @default true */
  readonly hasKnownMethod?: boolean | undefined;
  /** Whether the tool or prompt is known. Unknown ones do not appear in span names or metric series. @default true */
  readonly hasKnownTarget?: boolean | undefined;
}

/** A session that has ended, as described in the conventions. */
export interface SessionFacts extends Pick<OperationFacts, 'version' | 'network' | 'server'> {
  /** Absent if the session did not end with an error. */
  readonly errorType?: string | undefined;
}

/** The span name for an unknown method. */
const UNKNOWN = 'mcp.unknown';

/** The length limit for method, tool and prompt names, and for IDs. */
const LONGEST_NAME = 128;
const LONGEST_URI = 2048;

/** Methods with a resource as their target. */
const RESOURCE_METHODS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/resources/updated',
]);

/** The target of an operation. */
export interface OperationTarget {
  readonly attribute: typeof Attribute.tool | typeof Attribute.prompt | typeof Attribute.resourceUri;
  /** As named by the caller. */
  readonly name: string;
}

/** Finds an operation's tool, prompt or resource. */
export function findTarget({
  method,
  params,
}: Pick<OperationFacts, 'method' | 'params'>): OperationTarget | undefined {
  if (method === 'tools/call') return nameTarget(Attribute.tool, params?.['name']);
  if (method === 'prompts/get') return nameTarget(Attribute.prompt, params?.['name']);
  if (RESOURCE_METHODS.has(method)) return nameTarget(Attribute.resourceUri, params?.['uri']);
  const reference = method === 'completion/complete' ? params?.['ref'] : undefined;
  if (!isObject(reference)) return undefined;
  return reference['type'] === 'ref/prompt'
    ? nameTarget(Attribute.prompt, reference['name'])
    : nameTarget(Attribute.resourceUri, reference['uri']);
}

function nameTarget(attribute: OperationTarget['attribute'], name: unknown): OperationTarget | undefined {
  return typeof name === 'string' ? { attribute, name } : undefined;
}

/** Formats a target for a span: on one line, truncated, and without credentials. */
export function formatTarget({ attribute, name }: OperationTarget): string {
  return escapeText(name, attribute === Attribute.resourceUri ? LONGEST_URI : LONGEST_NAME);
}

/**
 * Names a span: `{mcp.method.name} {target}` if the target is known, so callers cannot invent names.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, "Spans"
 */
export function nameSpan(facts: OperationFacts): string {
  const { method, hasKnownMethod = true, hasKnownTarget = true } = facts;
  if (!hasKnownMethod) return UNKNOWN;
  const target = hasKnownTarget ? findTarget(facts) : undefined;
  if (target === undefined || target.attribute === Attribute.resourceUri) return method;
  return `${method} ${formatTarget(target)}`;
}

/** Describes an operation on a span, except for its target. */
export function describeOperation(facts: OperationFacts): Attributes {
  const { method, id, session, client, server } = facts;
  const attributes: Attributes = { [Attribute.method]: escapeText(method, LONGEST_NAME) };
  if (method === 'tools/call') attributes[Attribute.operation] = 'execute_tool';
  describeConnection(attributes, facts);
  if (id !== undefined) attributes[Attribute.requestId] = escapeText(String(id), LONGEST_NAME);
  if (session !== undefined) attributes[Attribute.sessionId] = session;
  if (client !== undefined) {
    attributes[Attribute.clientAddress] = client.address;
    if (client.port !== undefined) attributes[Attribute.clientPort] = client.port;
  }
  describeServer(attributes, server);
  return attributes;
}

/**
 * Returns the attributes of a metric series, without any values that callers can choose freely. The names are sorted,
 * as the SDK would otherwise do for every measurement.
 */
export function describeSeries(facts: OperationFacts, version: string | undefined): Attributes {
  const { method, network, hasKnownMethod = true, hasKnownTarget = true } = facts;
  const attributes: Attributes = {};
  const target = findTarget(facts);
  if (method === 'tools/call') attributes[Attribute.operation] = 'execute_tool';
  if (target !== undefined && target.attribute !== Attribute.resourceUri) {
    attributes[target.attribute] = hasKnownTarget ? formatTarget(target) : OTHER;
  }
  attributes[Attribute.method] = hasKnownMethod ? method : OTHER;
  describeConnection(attributes, { version, network });
  describeServer(attributes, facts.server);
  return attributes;
}

/** Returns the attributes of a session series. */
export function describeSession({ version, network, server, errorType }: SessionFacts): Attributes {
  const attributes: Attributes = {};
  describeConnection(attributes, { version, network });
  describeServer(attributes, server);
  if (errorType !== undefined) attributes[Attribute.errorType] = errorType;
  return attributes;
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

/** Attributes of a span. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean };

const MAXIMUM_CHARACTERS = 4096;

/** Truncates a caller's input to a length that exporters accept, and removes the credentials from its URLs. */
export function truncate(text: string): string {
  return redactCredentials(text, MAXIMUM_CHARACTERS - 1);
}

/** Truncates string attributes. */
export function truncateAttributes(attributes: SpanAttributes): SpanAttributes {
  const bound = Object.entries(attributes).map(([name, value]) => [name, truncateValue(value)]);
  return Object.fromEntries(bound) as SpanAttributes;
}

/** Truncates an attribute value if it is a string. */
export function truncateValue<Value extends string | number | boolean>(value: Value): Value | string {
  return typeof value === 'string' ? truncate(value) : value;
}

import { SpanKind, type Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/**
 * What the conventions say, by hand from their model: `open-telemetry/semantic-conventions-genai`, `model/mcp/spans.yaml`,
 * `common.yaml`, `metrics.yaml` and `registry.yaml`. "jsonrpc.protocol.version" is for what is not 2.0, and "mcp.session.id" for sessions.
 */
export const SPAN_ATTRIBUTES: Readonly<Record<string, AttributeRule>> = {
  'mcp.method.name': { type: 'string', isRequired: () => true },
  'error.type': { type: 'string' },
  'gen_ai.prompt.name': { type: 'string', isRequired: ({ method }) => method === 'prompts/get' },
  'gen_ai.tool.name': { type: 'string', isRequired: ({ method }) => method === 'tools/call' },
  'gen_ai.operation.name': { type: 'string', isRequired: ({ method }) => method === 'tools/call' },
  'jsonrpc.request.id': { type: 'string', isRequired: ({ isNotification }) => !isNotification },
  'mcp.resource.uri': { type: 'string', isRequired: ({ method }) => method.startsWith('resources/read') },
  'mcp.protocol.version': { type: 'string', isRequired: () => true },
  'mcp.session.id': { type: 'string', isRequired: () => true },
  'rpc.response.status_code': { type: 'string' },
  'network.transport': { type: 'string', isRequired: ({ transport }) => transport !== 'in-process' },
  'network.protocol.name': { type: 'string', isRequired: ({ isHttp }) => isHttp },
  'network.protocol.version': { type: 'string', isRequired: ({ isHttp }) => isHttp },
  'client.address': { type: 'string', isRequired: ({ isHttp, kind }) => isHttp && kind === SpanKind.SERVER },
  'client.port': { type: 'number', isRequired: ({ isHttp, kind }) => isHttp && kind === SpanKind.SERVER },
};

/** Those of metrics of operations. */
export const OPERATION_SERIES: readonly string[] = [
  'mcp.method.name',
  'error.type',
  'gen_ai.prompt.name',
  'gen_ai.tool.name',
  'gen_ai.operation.name',
  'mcp.protocol.version',
  'network.protocol.name',
  'network.protocol.version',
  'network.transport',
  'rpc.response.status_code',
  'server.address',
  'server.port',
];

/** Those of metrics of sessions. */
export const SESSION_SERIES: readonly string[] = [
  'mcp.protocol.version',
  'network.protocol.name',
  'network.protocol.version',
  'network.transport',
  'error.type',
  'server.address',
  'server.port',
];

export const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** What an attribute depends on. */
interface Case {
  readonly method: string;
  readonly isNotification: boolean;
  readonly transport: string;
  readonly isHttp: boolean;
  readonly kind: SpanKind;
}

interface AttributeRule {
  readonly type: 'string' | 'number';
  /** @default it may be there */
  readonly isRequired?: (described: Case) => boolean;
}

/** Lists what of a span is not as the conventions say. */
export function findFaults(span: ReadableSpan, transport: string): readonly string[] {
  const method = String(span.attributes['mcp.method.name']);
  const described: Case = {
    method,
    isNotification: method.startsWith('notifications/'),
    transport,
    isHttp: transport.includes('HTTP'),
    kind: span.kind,
  };
  const given = Object.entries(span.attributes).flatMap(([name, value]) => {
    const rule = SPAN_ATTRIBUTES[name];
    if (rule === undefined) return [`${span.name}: "${name}" is none of the conventions`];
    return typeof value === rule.type ? [] : [`${span.name}: "${name}" must be a ${rule.type}`];
  });
  const missing = Object.entries(SPAN_ATTRIBUTES)
    .filter(([name, { isRequired }]) => isRequired?.(described) === true && !(name in span.attributes))
    .map(([name]) => `${span.name}: "${name}" is missing`);
  return [...given, ...missing, ...findNameFaults(span, span.attributes)];
}

/** `{mcp.method.name} {target}`, where there is a target of which there are few. */
function findNameFaults({ name }: ReadableSpan, attributes: Attributes): readonly string[] {
  const target = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name'];
  const parts = [attributes['mcp.method.name'], target].filter((part) => part !== undefined);
  return name === parts.join(' ') ? [] : [`"${name}" must be "${parts.join(' ')}"`];
}

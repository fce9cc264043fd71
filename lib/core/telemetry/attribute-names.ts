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

/** Stands for a value without a name in the conventions (OpenTelemetry, `error.type`). */
export const OTHER = '_OTHER';

/** A decision for the developer, with the section of the docs that explains it. */
export interface Decision {
  /** The decision, in the comment after its mark. */
  readonly text: string;
  /** The heading on the migration page. */
  readonly anchor: string;
}

/** Every decision for the developer. */
export const DECISIONS = {
  roles: {
    text: 'Roles are not supported here: check them in a guard, or require a scope',
    anchor: 'roles',
  },
  anyScope: {
    text: '"@RequireScope()" requires all of its scopes, but one of these was enough. Name a single scope, or check the others in a guard',
    anchor: 'scopes-and-public-tools',
  },
  anyRequiredScope: {
    text: '"requiredScopes" requires all of its scopes, but one of these was enough. Name a single scope, or check the others in the handler',
    anchor: 'handlers-that-are-added',
  },
  scopes: {
    text: 'Handlers with "@RequireScope()" need the option "auth", without which the server does not start. Set it, or check scopes in a guard',
    anchor: 'scopes-and-public-tools',
  },
  authorizationServer: {
    text: 'The authorization server stays. Continue to use it, or switch to "McpAuthorizationServerModule" or an identity provider, and the option "auth"',
    anchor: 'authorization-server',
  },
  openAccess: {
    text: '"allowUnauthenticatedAccess" has no counterpart. With the option "auth", handlers with "@Public()" accept callers without a token',
    anchor: 'scopes-and-public-tools',
  },
  serverMutator: {
    text: 'There is no underlying SDK server to change. Use an interceptor, an extension, or the option "telemetry"',
    anchor: 'sdk-server',
  },
  serverOfSdk: {
    text: 'The context does not expose an SDK server. Use the members of "McpContext", or "McpNotifier" to send messages to other clients',
    anchor: 'sdk-server',
  },
  request: {
    text: 'The context exposes the method and the parameters of the request: use "method", "params" and "meta"',
    anchor: 'context',
  },
  contextMembers: {
    text: 'The context has different members. Do not destructure it, and call "progress()" and "log()" on it',
    anchor: 'context',
  },
  mockedContext: {
    text: 'A test mocks this context. Give it the members of "McpContext", such as "progress()" instead of "reportProgress()"',
    anchor: 'context',
  },
  session: {
    text: 'The context exposes the session as "session", and the protocol version as "revision"',
    anchor: 'context',
  },
  progress: {
    text: 'Report progress with "progress(progress, total, message)", which returns no promise',
    anchor: 'context',
  },
  elicitation: {
    text: 'Ask the user with "elicit({ message, schema })". In protocol version 2026-07-28, the handler runs again from the start after each answer',
    anchor: 'context',
  },
  dynamicHandler: {
    text: 'A handler that is added at run time receives its arguments and the context. The request is "context.http?.request"',
    anchor: 'handlers-that-are-added',
  },
  dynamicCapabilities: {
    text: 'Add handlers with "McpCatalog": inject it, or get it with "app.get(McpCatalog)"',
    anchor: 'handlers-that-are-added',
  },
  options: {
    text: 'These options are not an object literal. Rename their properties as in the table on the linked page',
    anchor: 'options-of-the-decorators',
  },
  serverOptions: {
    text: 'The server options are not an object literal. Rename their properties as in the table on the linked page',
    anchor: 'options-of-the-server',
  },
  transports: {
    text: 'The transports are not written as a list here. Streamable HTTP is always served; "sse" adds HTTP+SSE, and "McpStdio" serves stdio',
    anchor: 'transports',
  },
  sessions: {
    text: 'Streamable HTTP had no sessions before. If several processes serve clients, remove "sse" and set "stateless: true", or set "cluster"',
    anchor: 'transports',
  },
  stdio: {
    text: 'Serve stdio with "await McpStdio.run(AppModule)" instead of an application context',
    anchor: 'transports',
  },
  stdioBeside: {
    text: 'The application served stdio alongside HTTP, which now requires a separate program: write a second file that calls "await McpStdio.run(AppModule)"',
    anchor: 'transports',
  },
  protocol: {
    text: 'All protocol versions are served, and responses have the form that the client accepts. No option is needed',
    anchor: 'transports',
  },
  security: {
    text: 'The option "allowedOrigins" checks origins, and "allowedHosts" checks hosts',
    anchor: 'transports',
  },
  prefix: {
    text: 'A global prefix with exclusions does not apply to the endpoint. Set "mcpPath" to the full path',
    anchor: 'transports',
  },
  ownController: {
    text: 'The module serves the endpoint itself. If one of your controllers did, move its guards and other decorators to the option "decorators", move its path to "mcpPath", and delete it',
    anchor: 'custom-controllers',
  },
  globalEnhancers: {
    text: 'Global guards, pipes, interceptors and filters run on handlers with "globalEnhancers: true", as they did with "inheritAppConfig: true"',
    anchor: 'guards',
  },
  contextType: {
    text: 'The context type of handlers is now "mcp" instead of "rpc". If this code runs for them, also check for "getType<string>() === \'mcp\'"',
    anchor: 'guards',
  },
  contextTypeOfHttp: {
    text: 'The context type of handlers is now "mcp" instead of "http". If this code runs for them, also check for "getType<string>() === \'mcp\'"',
    anchor: 'guards',
  },
  rpcHost: {
    text: '"switchToRpc()" returns this package\'s arguments and context: check what your code reads from them',
    anchor: 'guards',
  },
  mockedHost: {
    text: 'A test mocks this execution context. Its type is "mcp" for handlers, and "switchToRpc()" returns the arguments and the context',
    anchor: 'guards',
  },
  guards: {
    text: 'Endpoint guards are decorators here: set "decorators: [UseGuards(…)]"',
    anchor: 'options-of-the-server',
  },
  severalServers: {
    text: 'This file has several servers. Classes that no "forFeature()" names belong to the server with "isDefault: true"',
    anchor: 'several-servers',
  },
  wiring: {
    text: 'The server is a module: import it with "McpModule.forRoot()" in your application module',
    anchor: 'module-setup',
  },
  capabilities: {
    text: 'The server derives its capabilities from the catalog. "capabilities" hides an area, or declares an empty one',
    anchor: 'options-of-the-server',
  },
  cacheHints: {
    text: 'The option "cache" limits how long clients cache responses, and has different keys',
    anchor: 'options-of-the-server',
  },
  keepAlive: {
    text: 'The option "streams.keepAliveMs" keeps streams alive; 0 disables it',
    anchor: 'transports',
  },
  logging: {
    text: 'The Nest logger receives all log lines: configure it where the application is created',
    anchor: 'options-of-the-server',
  },
  sessionIds: {
    text: 'The server generates its session ids itself',
    anchor: 'transports',
  },
  extraProviders: {
    text: 'Add these providers to a module, and add the module to "imports"',
    anchor: 'options-of-the-server',
  },
  errors: {
    text: 'Callers receive the messages of "ToolError" and of HTTP exceptions. The option "exposeErrors" exposes all messages, for development',
    anchor: 'errors',
  },
  internals: {
    text: 'This was an internal part of the other package, and has no counterpart',
    anchor: 'features-without-a-counterpart',
  },
  reexport: {
    text: 'Exported names have changed, so files that import from here may need different ones',
    anchor: 'names',
  },
} as const satisfies Readonly<Record<string, Decision>>;

/** A decision's key. */
export type DecisionKey = keyof typeof DECISIONS;

/** The prefix of every comment that the command writes, so that you can search for it. */
export const MARK = 'TODO(nestjs-mcp)';

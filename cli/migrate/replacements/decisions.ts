/** Something that a person has to decide, with the place of the pages that explains it. */
export interface Decision {
  /** What to decide, behind the mark of the comment. */
  readonly text: string;
  /** The heading of the page of that release. */
  readonly anchor: string;
}

/** Every decision that is left to a person. Both pages have the headings, if both releases have the matter. */
export const DECISIONS = {
  roles: {
    text: 'Roles are not read here: check them in a guard, or require a scope',
    anchor: 'roles',
  },
  anyScope: {
    text: '"@RequireScope()" asks for all its scopes, and this asked for one of them. Name one scope, or check the others in a guard',
    anchor: 'scopes-and-public-tools',
  },
  anyRequiredScope: {
    text: '"requiredScopes" asks for all its scopes, and this asked for one of them. Name one scope, or check the others in the handler',
    anchor: 'handlers-that-are-added',
  },
  scopes: {
    text: 'Handlers with "@RequireScope()" need the option "auth": without it the server does not start. Write it, or check scopes in a guard',
    anchor: 'scopes-and-public-tools',
  },
  authorizationServer: {
    text: 'The authorization server has no counterpart and stays. Keep it, or use an identity provider and the option "auth"',
    anchor: 'the-authorization-server',
  },
  openAccess: {
    text: '"allowUnauthenticatedAccess" has no counterpart. With the option "auth", handlers with "@Public()" take callers without a token',
    anchor: 'scopes-and-public-tools',
  },
  serverMutator: {
    text: 'No server of the SDK runs underneath that could be changed. Use an interceptor, an extension, or the option "telemetry"',
    anchor: 'the-server-underneath',
  },
  serverOfSdk: {
    text: 'The context has no server of the SDK. Use the members of "McpContext", or "McpNotifier" for messages to other clients',
    anchor: 'the-server-underneath',
  },
  request: {
    text: 'The context has the method and the parameters of the request: write "method", "params" and "meta"',
    anchor: 'the-context',
  },
  contextMembers: {
    text: 'The context has other members. Take it whole, and write "progress()" and "log()"',
    anchor: 'the-context',
  },
  mockedContext: {
    text: 'A test makes this context. Write the members of "McpContext", such as "progress()" for "reportProgress()"',
    anchor: 'the-context',
  },
  session: {
    text: 'The context has its session as "session", and its protocol as "revision"',
    anchor: 'the-context',
  },
  progress: {
    text: 'Progress is reported by "progress(progress, total, message)", which gives no promise',
    anchor: 'the-context',
  },
  elicitation: {
    text: 'The user is asked by "elicit({ message, schema })". In 2026-07-28 the handler runs again from the start for each answer',
    anchor: 'the-context',
  },
  dynamicHandler: {
    text: 'A handler that is added gets its arguments and the context. The request is "context.http?.request"',
    anchor: 'handlers-that-are-added',
  },
  dynamicCapabilities: {
    text: 'Handlers are added by "McpCatalog": inject it, or take it by "app.get(McpCatalog)"',
    anchor: 'handlers-that-are-added',
  },
  options: {
    text: 'These options are not written out here. Rename their members by the table of the page',
    anchor: 'options-of-the-decorators',
  },
  serverOptions: {
    text: 'The options of the server are not written out here. Rename their members by the table of the page',
    anchor: 'options-of-the-server',
  },
  transports: {
    text: 'Which transports are served is not written out here. Streamable HTTP always is; "sse" adds HTTP+SSE, and "McpStdio" serves standard input and output',
    anchor: 'transports',
  },
  sessions: {
    text: 'Streamable HTTP had no sessions before. If several processes serve clients, take "sse" out and set "stateless: true", or set "cluster"',
    anchor: 'transports',
  },
  stdio: {
    text: 'Standard input and output are served by "await McpStdio.run(AppModule)", instead of an application context',
    anchor: 'transports',
  },
  stdioBeside: {
    text: 'Standard input and output were served beside HTTP. They need a program of their own: write a second file that calls "await McpStdio.run(AppModule)"',
    anchor: 'transports',
  },
  protocol: {
    text: 'All revisions are served, and the answer has the form that the client takes. Nothing has to be set',
    anchor: 'transports',
  },
  security: {
    text: 'Origins are checked by the option "allowedOrigins", and hosts by "allowedHosts"',
    anchor: 'transports',
  },
  prefix: {
    text: 'A global prefix with exceptions does not move the endpoint. Write the whole path into "mcpPath"',
    anchor: 'transports',
  },
  ownController: {
    text: 'The module serves the endpoint itself. If a controller of yours did, move its guards and other decorators into the option "decorators", its path into "mcpPath", and delete it',
    anchor: 'controllers-of-your-own',
  },
  globalEnhancers: {
    text: 'Global guards, pipes, interceptors and filters run on handlers with "globalEnhancers: true", as they did with "inheritAppConfig: true"',
    anchor: 'guards',
  },
  contextType: {
    text: 'The context type of handlers is "mcp" here, and was "rpc". If this runs for them, ask for "getType<string>() === \'mcp\'" too',
    anchor: 'guards',
  },
  contextTypeOfHttp: {
    text: 'The context type of handlers is "mcp" here, and was "http". If this runs for them, ask for "getType<string>() === \'mcp\'" too',
    anchor: 'guards',
  },
  rpcHost: {
    text: '"switchToRpc()" gives the arguments and the context of this package: check what is read of them',
    anchor: 'guards',
  },
  mockedHost: {
    text: 'A test makes this execution context. Its type is "mcp" for handlers here, and "switchToRpc()" gives the arguments and the context',
    anchor: 'guards',
  },
  guards: {
    text: 'Guards of the endpoint are one of its decorators: write "decorators: [UseGuards(…)]"',
    anchor: 'options-of-the-server',
  },
  severalServers: {
    text: 'Several servers are here. Classes that no "forFeature()" names belong to the one with "isDefault: true"',
    anchor: 'several-servers',
  },
  wiring: {
    text: 'The server is a module: import it with "McpModule.forRoot()" in the module of the application',
    anchor: 'the-module',
  },
  capabilities: {
    text: 'What the server declares comes from the catalog. "capabilities" hides an area, or declares one that is empty',
    anchor: 'options-of-the-server',
  },
  cacheHints: {
    text: 'How long clients may keep answers is the option "cache", with other keys',
    anchor: 'options-of-the-server',
  },
  keepAlive: {
    text: 'Streams are kept alive by the option "streams.keepAliveMs", whose 0 is never',
    anchor: 'transports',
  },
  logging: {
    text: 'Log lines go through the logger of Nest: set it where the application is created',
    anchor: 'options-of-the-server',
  },
  sessionIds: {
    text: 'The server makes the ids of its sessions itself',
    anchor: 'transports',
  },
  extraProviders: {
    text: 'Give these providers to a module, and name the module in "imports"',
    anchor: 'options-of-the-server',
  },
  errors: {
    text: 'Callers read the messages of "ToolError" and of exceptions of HTTP. The option "exposeErrors" shows all of them, for development',
    anchor: 'errors',
  },
  internals: {
    text: 'This was part of the inside of the package, and has no counterpart',
    anchor: 'what-has-no-counterpart',
  },
  reexport: {
    text: 'Names have changed, so files that import from here may need others',
    anchor: 'names',
  },
} as const satisfies Readonly<Record<string, Decision>>;

/** Names a decision. */
export type DecisionKey = keyof typeof DECISIONS;

/** The beginning of every comment of the command, so that you can search for it. */
export const MARK = 'TODO(nestjs-mcp)';

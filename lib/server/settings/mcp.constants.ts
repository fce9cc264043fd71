/** The key of a server that is given none. */
export const DEFAULT_SERVER = 'default';

/** Injects the settings of a server with every default filled in (`ServerSettings`). */
export const SERVER_SETTINGS = Symbol('nestjs-mcp:server-settings');

/** Injects the settings of a server's tasks, whether it has tasks or not (`TasksSettings`). */
export const TASKS_SETTINGS = Symbol('nestjs-mcp:tasks-settings');

/** Injects the module's settings other than options (`ServerIdentity`). */
export const SERVER_IDENTITY = Symbol('nestjs-mcp:server-identity');

/** Injects the methods of a server (`McpMethod[]`). */
export const MCP_METHODS = Symbol('nestjs-mcp:methods');

/** Injects the steps that requests pass before their methods, in their order (`Step[]`). */
export const PIPELINE_STEPS = Symbol('nestjs-mcp:pipeline-steps');

/** Injects what takes messages of handshake revisions: in sessions, or without keeping anything (`HandshakeMessages`). */
export const HANDSHAKE_MESSAGES = Symbol('nestjs-mcp:handshake-messages');

/** Injects the controller class of a server. */
export const MCP_CONTROLLER = Symbol('nestjs-mcp:controller');

/** Injects the class of the controller that serves a server's metadata. */
export const METADATA_CONTROLLER = Symbol('nestjs-mcp:metadata-controller');

/** Injects the class of the controller that serves a server's card. */
export const CARD_CONTROLLER = Symbol('nestjs-mcp:card-controller');

/** Injects what checks the proofs of bound tokens, if it is configured (`DpopGate`). */
export const DPOP_GATE = Symbol('nestjs-mcp:dpop-gate');

/** Injects the path at which a server is reached in the application (`EndpointPath`). */
export const ENDPOINT_PATH = Symbol('nestjs-mcp:endpoint-path');

/** Injects the assignments of one `forFeature` (`FeatureAssignment`). */
export const FEATURE_ASSIGNMENT = Symbol('nestjs-mcp:feature-assignment');

/** Injects what traces the requests of a server, if it is configured (`RequestTracing`). */
export const REQUEST_TRACING = Symbol('nestjs-mcp:request-tracing');

/** Injects what records what a server does, if telemetry is configured (`ServerTelemetry`). */
export const SERVER_TELEMETRY = Symbol('nestjs-mcp:server-telemetry');

/** Injects the package that ranks tools, if they are searched (`SearchLibrary`). */
export const SEARCH_LIBRARY = Symbol('nestjs-mcp:search-library');

/** Injects the `CallOpener`, which finds the call that another tool passes on. */
export const CALL_OPENER = Symbol('nestjs-mcp:call-opener');

/** Injects the guard before the controller of a server, if tokens are asked for. */
export const ENDPOINT_GUARD = Symbol('nestjs-mcp:endpoint-guard');

/** The context type that guards, pipes, interceptors and filters see (`ExecutionContext.getType()`). */
export const MCP_CONTEXT_TYPE = 'mcp';

/** The metadata key under which a decorated method keeps its handler metadata. */
export const HANDLER_METADATA = 'nestjs-mcp:handler';

/** The metadata key under which a method keeps what source of events it is (`EventSourceOptions`). */
export const EVENT_SOURCE_METADATA = 'nestjs-mcp:event-source';

/** The metadata key under which a method or a class keeps what skill it is (`SkillOptions`). */
export const SKILL_METADATA = 'nestjs-mcp:skill';

/** The metadata key under which a class or a method keeps who may call it. */
export const ACCESS_METADATA = 'nestjs-mcp:access';

/** The key of the hints that decorators give to the tools of a class or to a method. */
export const TOOL_ANNOTATIONS_METADATA = 'nestjs-mcp:tool-annotations';

/** The metadata key of parameter decorators: Nest's own, so that `createParamDecorator()` works on handlers too. */
export const PARAMETER_METADATA = '__routeArguments__';

/** Which server of the application this is. */
export interface ServerIdentity {
  readonly server: string;
  readonly isDefault: boolean;
}

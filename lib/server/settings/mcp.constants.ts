/** The key of a server that is given none. */
export const DEFAULT_SERVER = 'default';

/** Injects the settings of a server with every default filled in (`ServerSettings`). */
export const SERVER_SETTINGS = Symbol('nestjs-mcp:server-settings');

/** Injects the module's settings other than options (`ServerIdentity`). */
export const SERVER_IDENTITY = Symbol('nestjs-mcp:server-identity');

/** Injects what applications may add to a server's catalog before its options are known (`CatalogContents`). */
export const CATALOG_CONTENTS = Symbol('nestjs-mcp:catalog-contents');

/** Injects a server with all of its parts (`ComposedServer`). It is a string, because Nest cannot name a symbol in a circle. */
export const COMPOSED_SERVER = 'nestjs-mcp:server';

/** Injects the controller class of a server. */
export const MCP_CONTROLLER = Symbol('nestjs-mcp:controller');

/** Injects the assignments of one `forFeature` (`FeatureAssignment`). */
export const FEATURE_ASSIGNMENT = Symbol('nestjs-mcp:feature-assignment');

/** Injects the guard before the controller of a server, if tokens are asked for. */
export const ENDPOINT_GUARD = Symbol('nestjs-mcp:endpoint-guard');

/** The context type that guards, pipes, interceptors and filters see (`ExecutionContext.getType()`). */
export const MCP_CONTEXT_TYPE = 'mcp';

/** The key of a method's handler metadata. */
export const HANDLER_METADATA = 'nestjs-mcp:handler';

/** The key of a method's event source metadata (`EventSourceOptions`). */
export const EVENT_SOURCE_METADATA = 'nestjs-mcp:event-source';

/** The key of the skill metadata of a method or class (`SkillOptions`). */
export const SKILL_METADATA = 'nestjs-mcp:skill';

/** The key of the access metadata of a class or method. */
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

/** The key for a server without a configured key. */
export const DEFAULT_SERVER = 'default';

/** Injects the settings of a server with all defaults applied (`ServerSettings`). */
export const SERVER_SETTINGS = Symbol('nestjs-mcp:server-settings');

/** Injects the module's settings other than options (`ServerIdentity`). */
export const SERVER_IDENTITY = Symbol('nestjs-mcp:server-identity');

/**
 * Injects the catalog parts to which applications may add entries before a server's options are known
 * (`CatalogContents`).
 */
export const CATALOG_CONTENTS = Symbol('nestjs-mcp:catalog-contents');

/**
 * Injects a server with all of its parts (`ComposedServer`). It is a string, because Nest cannot print a symbol in a
 * circular dependency.
 */
export const COMPOSED_SERVER = 'nestjs-mcp:server';

/** Injects a server's controller class. */
export const MCP_CONTROLLER = Symbol('nestjs-mcp:controller');

/** Injects the assignments of one `forFeature` (`FeatureAssignment`). */
export const FEATURE_ASSIGNMENT = Symbol('nestjs-mcp:feature-assignment');

/** Injects the guard for a server's controller, if tokens are required. */
export const ENDPOINT_GUARD = Symbol('nestjs-mcp:endpoint-guard');

/**
 * Injects the service that finds callers' identity provider tokens (`UpstreamTokenFinder`), if an authorization
 * server provides one.
 */
export const UPSTREAM_TOKENS = Symbol('nestjs-mcp:upstream-tokens');

/** Injects the settings of an authorization server that checks examine (`AuthorizationServerFacts`). */
export const AUTHORIZATION_SERVER_FACTS = Symbol('nestjs-mcp:authorization-server-facts');

/** The settings of an authorization server in the same application. */
export interface AuthorizationServerFacts {
  readonly issuer: string;
  /** The MCP servers' URLs, each with the scopes that tokens can have as properties. */
  readonly resources: { readonly [url: string]: object };
  /** Whether registrations and logins outlive the process. */
  readonly isStored: boolean;
  /** How many clients can register themselves from one address within an hour; 0 if none can. */
  readonly registrationsPerAddress: number;
}

/** Finds the token that an identity provider issued for a caller. */
export interface UpstreamTokenFinder {
  /** Returns `undefined` if the caller has to log in again. */
  find(caller: {
    readonly claims: { readonly iss?: string | undefined; readonly sub?: string | undefined } | undefined;
  }): Promise<string | undefined>;
}

/** Holds the schema that another server lists for its tool. That server validates with it. */
export const LISTED_SCHEMA = Symbol('nestjs-mcp:listed-schema');

/** The context type that guards, pipes, interceptors and filters see (`ExecutionContext.getType()`). */
export const MCP_CONTEXT_TYPE = 'mcp';

/** The metadata key for a method's handlers. */
export const HANDLER_METADATA = 'nestjs-mcp:handler';

/** The metadata key for a method's event source (`EventSourceOptions`). */
export const EVENT_SOURCE_METADATA = 'nestjs-mcp:event-source';

/** The metadata key for the skill on a method or class (`SkillOptions`). */
export const SKILL_METADATA = 'nestjs-mcp:skill';

/** The metadata key for the access declared on a class or method. */
export const ACCESS_METADATA = 'nestjs-mcp:access';

/** The metadata key for the hints that decorators add to a class's tools or to a method. */
export const TOOL_ANNOTATIONS_METADATA = 'nestjs-mcp:tool-annotations';

/** The metadata key of parameter decorators: Nest's own, so that `createParamDecorator()` works on handlers too. */
export const PARAMETER_METADATA = '__routeArguments__';

/** Marks global enhancers of the package, which never run on handlers. */
export const OWN_ENHANCER = Symbol('nestjs-mcp:own-enhancer');

/** Identifies the server within the application. */
export interface ServerIdentity {
  readonly server: string;
  readonly isDefault: boolean;
}

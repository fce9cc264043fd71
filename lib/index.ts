// The module
export { McpModule } from './server/mcp.module.js';
export type { McpModuleAsyncOptions } from './server/mcp.module-definition.js';
export type {
  CacheHints,
  DeclaredCapabilities,
  McpOptions,
  McpOptionsFactory,
} from './server/settings/mcp-options.js';
export type { CorsOptions, SseOptions } from './server/settings/http-options.js';
export type {
  InputRequestsOptions,
  SessionOptions,
  ShutdownOptions,
  StreamOptions,
} from './server/settings/session-options.js';
export type {
  ArgumentsOptions,
  CatalogOptions,
  ToolSearchOptions,
} from './server/settings/catalog-options.js';
export type { LimitOptions, MemoryOptions, ThrottleOptions } from './server/settings/limit-options.js';
export type {
  EnhancerChoice,
  EnhancerClass,
  GlobalEnhancersOptions,
} from './server/settings/global-enhancers-options.js';
export type { StateOptions } from './server/settings/state-options.js';
export type { EventsOptions } from './server/settings/extensions/events-options.js';
export type { IsTrusted, ResolveHost, WebhookOptions } from './server/settings/extensions/events-options.js';
export type { ExplorerOptions } from './server/settings/explorer-options.js';
export type { CardInput, CardRepository, ServerCardOptions } from './server/settings/server-card-options.js';
export type {
  AuthGuardClass,
  FeatureAssignment,
  McpModuleExtras,
  ProviderClass,
} from './server/settings/module-options.js';
export { McpConfigurationError } from './server/settings/mcp-configuration.error.js';

// Other ways in
export { McpStdio, type StdioModule, type StdioOptions } from './server/transport/stdio/mcp-stdio.js';
export { StdioTokenError } from './server/transport/stdio/stdio-transport.js';
export { McpInMemoryConnector, type LocalCaller } from './server/transport/memory/mcp-in-memory-connector.js';
export { InMemoryTransport, type ClientMessage } from './server/transport/memory/mcp-in-memory-connector.js';

// Handlers
export { Tool } from './server/decorators/handler.decorators.js';
export { ToolAnnotations } from './server/decorators/handler.decorators.js';
export { Resource } from './server/decorators/handler.decorators.js';
export { ResourceTemplate } from './server/decorators/handler.decorators.js';
export { Prompt } from './server/decorators/handler.decorators.js';
export { App } from './server/decorators/handler.decorators.js';
export { Complete } from './server/decorators/handler.decorators.js';
export { EventSource } from './server/decorators/handler.decorators.js';
export { Concurrency } from './server/decorators/access.decorators.js';
export { Arguments } from './server/decorators/parameter.decorators.js';
export { Context } from './server/decorators/parameter.decorators.js';
export type * from './server/settings/handler-options.interface.js';
export type {
  AppPageOptions,
  AppPolicy,
  AppsOptions,
  ToolUiOptions,
} from './server/settings/extensions/app-options.js';
export type { AppCsp, AppPermission, AppVisibility } from './core/protocol/apps/app-meta.js';
export type {
  EventDeliveryMode,
  EventRecipient,
  EventSourceOptions,
} from './server/settings/extensions/event-source-options.js';
export type {
  DtoClass,
  JsonSchema,
  JsonSchemaDocument,
  SchemaSource,
  StandardIssue,
  StandardOutcome,
  StandardSchema,
} from './server/settings/schema-source.interface.js';
export type * from './server/settings/visibility.interface.js';
export { CatalogError } from './server/catalog/catalog.error.js';
export { SchemaError } from './server/schema/schema.error.js';

// What handlers, guards and services work with
export type * from './server/context/mcp-context.interface.js';
export { elicitation, urlElicitation } from './server/input-requests/elicitation.js';
export {
  FormSchemaError,
  InvalidAnswerError,
  UrlElicitationRequiredError,
  type RequiredPage,
} from './server/input-requests/errors.js';
export { listRoots, sampling } from './server/input-requests/input-request-builders.js';

export { ClientResponseError } from './server/sessions/client-response.error.js';
export type {
  InputResponsesOf,
  ClientProgress,
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  TypedInputRequest,
  InputRequestOptions,
  SamplingOptions,
} from './server/context/input-request.interface.js';
export type { CallerState, StateSetOptions, StateValues } from './server/context/caller-state.interface.js';
export * from './server/context/tool-errors.js';
export { McpExecutionContext } from './server/catalog/invocation/execution-context.js';
export { McpCatalog } from './server/catalog/mcp-catalog.js';
export type { SharedChange, SharedChangeOptions } from './server/catalog/shared-changes.js';
export type {
  CatalogSection,
  CompletionArguments,
  CompletionSection,
  DynamicCompletion,
  DynamicHandler,
} from './server/catalog/mcp-catalog.js';
export * from './server/decorators/inject.decorator.js';
export * from './server/settings/server-tokens.js';
export { McpNotifier, type ClientNotifier } from './server/notifications/mcp-notifier.js';
export { McpStats } from './server/health/mcp-stats.js';
export type * from './server/health/server-stats.interface.js';
export * from './server/health/mcp-health-indicator.js';
export { McpAudit, type AuditWriter } from './server/audit/mcp-audit.js';
export type {
  AuditCaller,
  AuditedHttp,
  AuditEvent,
  AuditEventType,
  AuditOutcome,
} from './server/audit/audit-event.js';
export type { AuditedArguments, AuditOptions } from './server/settings/audit-options.js';
export type { RefusalReason } from './server/telemetry/refusal.js';
export * from './server/production/examine-for-production.js';
export type { CardRemote, ServerCard } from './server/transport/http/card/server-card.js';
export { describeServers, type ServerDescription } from './server/transport/http/card/server-card-source.js';
export type { ProductionFinding } from './server/production/production-check.js';
export { McpSessions } from './server/sessions/mcp-sessions.js';
export type * from './server/sessions/callers/mcp-sessions.interface.js';
export type { ResourceSubscriptionEvent } from './server/sessions/resource-subscribers.js';
export type { SessionEvent } from './server/sessions/session-event.interface.js';

// Authorization
export { McpAuthGuard } from './server/auth/mcp-auth.guard.js';
export type { AuthenticatedRequest, GuardedRequest } from './server/auth/mcp-auth.guard.js';
export { McpAuthenticator } from './server/auth/mcp-authenticator.js';
export type { AuthRoute } from './server/auth/auth-routes.js';
export { RequireScope } from './server/decorators/access.decorators.js';
export { Public } from './server/decorators/access.decorators.js';
export { Claims } from './server/decorators/parameter.decorators.js';
export { AuthError, type AuthErrorCode } from './core/oauth/auth.error.js';
export { InvalidTokenError } from './server/auth/errors.js';
export { AuthUnavailableError, type AuthUnavailableOptions } from './server/auth/errors.js';
export type { AuthView } from './server/context/auth-view.interface.js';
export type { RequestedToken } from './server/context/token-exchange.js';
export type { Authentication, AuthMethod } from './server/context/authentication.js';
export type { GivenClaims } from './core/oauth/access-token.js';
export type {
  AuthOptions,
  BearerOptions,
  TokenValidator,
  ValidatorClass,
} from './server/settings/auth/auth-options.js';
export type { DpopOptions } from './server/settings/auth/dpop-options.js';
export type { IntrospectionOptions } from './server/settings/auth/introspection-options.js';
export type { IdTokenClaim, JwksOptions, JwtOptions } from './server/settings/auth/jwt-options.js';
export type { TokenExchangeOptions } from './server/settings/auth/exchange-options.js';
export type {
  CapturedValue,
  MeterProvider,
  TelemetryOptions,
  TracerProvider,
} from './core/telemetry/telemetry-options.js';
export type * from './server/settings/scoped-call.interface.js';

// Presets for identity providers
export { idp } from './server/auth/identity-providers/idp.js';
export type { Auth0Options } from './server/auth/identity-providers/idp.js';
export type { CognitoOptions } from './server/auth/identity-providers/idp.js';
export type { EntraOptions } from './server/auth/identity-providers/idp.js';
export type { KeycloakOptions } from './server/auth/identity-providers/idp.js';
export type { OktaOptions } from './server/auth/identity-providers/idp.js';
export type { PresetOptions } from './server/auth/identity-providers/idp.js';
export type { WorkosOptions } from './server/auth/identity-providers/idp.js';

// Extensions of the protocol
export { McpExtensions } from './server/dispatch/mcp-extensions.js';
export { ExtensionError } from './server/dispatch/assert-extension.js';
export type * from './server/dispatch/extension.interface.js';
export type * from './server/settings/extensions/extension.interface.js';

// Skills
export { Skill, type SkillDecorator } from './server/decorators/handler.decorators.js';
export { SkillError } from './server/extensions/skills/skill.error.js';
export type {
  SkillContents,
  SkillDirectory,
  SkillOptions,
  SkillsOptions,
  SkillSource,
} from './server/settings/extensions/skills-options.js';

// Tasks
export {
  McpEvents,
  type DynamicEventSource,
  type EventSourceChanges,
} from './server/extensions/events/mcp-events.js';
export type { EventDefinition } from './server/extensions/events/feeds/event-source-entry.js';
export { McpTasks } from './server/extensions/tasks/mcp-tasks.js';
export type { TaskTimes } from './server/extensions/tasks/ledger/task-creation.js';
export type { TaskQueue, TasksOptions } from './server/settings/extensions/tasks-options.js';
export type * from './server/settings/extensions/task-store.interface.js';
export { TaskStoreUnavailableError } from './server/settings/extensions/task-store.error.js';
export { TaskStoreFullError } from './server/settings/extensions/task-store.error.js';

// The protocol
export { ErrorCode } from './core/protocol/error-codes.js';
export { McpError } from './core/protocol/mcp.error.js';
export { RateLimitedError, type RateLimit } from './core/protocol/rate-limited.error.js';
export { UriTemplate, UriTemplateError } from './core/protocol/uri-template.js';
export type { TemplateValues } from './core/protocol/uri-template/expand-template.js';
export type { VariableValues } from './core/protocol/uri-template/match-template.js';
export type { ClientCapabilities, OpenObject, ServerCapabilities } from './core/protocol/capabilities.js';
export type {
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from './core/protocol/content.js';
export type {
  Annotations,
  Icon,
  Implementation,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './core/protocol/definitions.js';
export type {
  ElicitationAction,
  InputRequest,
  InputRequiredResult,
  ModelPreferences,
  Root,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingResult,
  ToolResultContent,
  ToolUseContent,
} from './core/protocol/input-requests.js';
export type { JsonRpcErrorObject, Params, ProgressToken, RequestId } from './core/protocol/json-rpc.js';
export type { LogLevel } from './core/protocol/log-level.js';
export type { RequestMeta } from './core/protocol/meta-keys.js';
export type {
  CacheHint,
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  PromptMessage,
  ReadResourceResult,
} from './core/protocol/results.js';
export type { Revision } from './core/protocol/revisions.js';
export type * from './server/settings/cluster/cluster.interface.js';

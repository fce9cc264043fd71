// The module
export { McpModule } from './mcp.module.js';
export type { McpModuleAsyncOptions } from './mcp.module-definition.js';
export type {
  CacheHints,
  CorsOptions,
  DeclaredCapabilities,
  LimitOptions,
  McpModuleExtras,
  McpOptions,
  McpOptionsFactory,
  ReverseCallOptions,
  SessionOptions,
  StreamOptions,
} from './settings/mcp-options.interface.js';
export type { EventsOptions } from './settings/extensions/events-options.interface.js';
export type {
  IsTrusted,
  ResolveHost,
  WebhookOptions,
} from './settings/extensions/webhook-options.interface.js';
export type { FeatureAssignment, ProviderClass } from './settings/feature-assignment.interface.js';
export { McpConfigurationError } from './settings/mcp-configuration.error.js';

// Other ways in
export { McpStdio, type StdioModule, type StdioOptions } from './transport/stdio/mcp-stdio.js';
export { StdioTokenError } from './transport/stdio/stdio-token.error.js';
export { McpConnector, type LocalCaller } from './transport/memory/mcp-connector.js';
export { InMemoryTransport, type ClientMessage } from './transport/memory/in-memory-transport.js';
export { getConnectorToken } from './settings/mcp.constants.js';

// Handlers
export { Tool } from './decorators/tool.decorator.js';
export { Resource } from './decorators/resource.decorator.js';
export { ResourceTemplate } from './decorators/resource-template.decorator.js';
export { Prompt } from './decorators/prompt.decorator.js';
export { Complete } from './decorators/complete.decorator.js';
export { EventSource } from './decorators/event-source.decorator.js';
export { Arguments } from './decorators/arguments.decorator.js';
export { Context } from './decorators/context.decorator.js';
export type {
  CompleteOptions,
  PromptCompletionOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateCompletionOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from './settings/handler-options.interface.js';
export type {
  EventRecipient,
  EventSourceOptions,
} from './settings/extensions/event-source-options.interface.js';
export type {
  DtoClass,
  JsonSchema,
  JsonSchemaDocument,
  SchemaSource,
  StandardIssue,
  StandardOutcome,
  StandardSchema,
} from './settings/schema-source.interface.js';
export { CatalogueError } from './catalogue/catalogue.error.js';
export { SchemaError } from './schema/schema.error.js';

// What handlers, guards and services work with
export type {
  ClientView,
  HttpView,
  McpContext,
  SessionView,
  TaskView,
} from './context/mcp-context.interface.js';
export { elicitation, urlElicitation } from './asking/questions/elicitation.question.js';
export { FormSchemaError } from './asking/questions/form-schema.error.js';
export { InvalidAnswerError } from './asking/invalid-answer.error.js';
export { rootsListing } from './asking/questions/roots.question.js';
export { sampling } from './asking/questions/sampling.question.js';
export { ClientResponseError } from './sessions/client-response.error.js';
export type {
  AnswersOf,
  ClientProgress,
  ContentOf,
  ElicitationAnswer,
  ElicitationConsent,
  ElicitationForm,
  ElicitationPage,
  Question,
  QuestionOptions,
  SamplingQuestion,
} from './context/question.interface.js';
export { ToolError } from './context/tool.error.js';
export { McpExecutionContext } from './catalogue/invocation/mcp-execution-context.js';
export { McpCatalogue } from './catalogue/mcp-catalogue.js';
export type { CatalogueArea, DynamicHandler } from './catalogue/catalogue-area.js';
export { McpNotifier } from './notifications/mcp-notifier.js';
export type { SessionEvent } from './sessions/session-registry.js';
export { InjectCatalogue, InjectExtensions, InjectNotifier } from './decorators/inject.decorator.js';
export { getCatalogueToken, getExtensionsToken, getNotifierToken } from './settings/mcp.constants.js';

// Authorization
export { McpAuthGuard, type AuthenticatedRequest, type GuardedRequest } from './auth/mcp-auth.guard.js';
export { McpAuthenticator } from './auth/mcp-authenticator.js';
export type { AuthRoute } from './auth/auth-routes.js';
export { RequireScope } from './decorators/require-scope.decorator.js';
export { Public } from './decorators/public.decorator.js';
export { Claims } from './decorators/claims.decorator.js';
export { InjectAuthenticator } from './decorators/inject.decorator.js';
export { getAuthenticatorToken } from './settings/mcp.constants.js';
export { AuthError, type AuthErrorCode } from './oauth/auth.error.js';
export { InvalidTokenError } from './auth/validators/invalid-token.error.js';
export { AuthUnavailableError } from './auth/validators/auth-unavailable.error.js';
export type { AuthView } from './context/auth-view.interface.js';
export type { WantedToken } from './context/exchange.interface.js';
export type { Authentication, AuthMethod } from './context/authentication.interface.js';
export type { GivenClaims } from './oauth/claims.js';
export type {
  AuthOptions,
  BearerOptions,
  IntrospectionOptions,
  JwksOptions,
  JwtOptions,
  TokenExchangeOptions,
  TokenValidator,
  ValidatorClass,
} from './settings/auth-options.interface.js';
export type { TracerProvider } from './settings/tracer.interface.js';
export type { AccessOptions } from './settings/handler-options.interface.js';

// Presets for identity providers
export { idp } from './auth/identity-providers/idp.js';
export type { Auth0Options } from './auth/identity-providers/auth0.js';
export type { CognitoOptions } from './auth/identity-providers/cognito.js';
export type { EntraOptions } from './auth/identity-providers/entra.js';
export type { KeycloakOptions } from './auth/identity-providers/keycloak.js';
export type { OktaOptions } from './auth/identity-providers/okta.js';
export type { PresetOptions } from './auth/identity-providers/preset.js';
export type { WorkosOptions } from './auth/identity-providers/workos.js';

// Extensions of the protocol
export { McpExtensions } from './dispatch/mcp-extensions.js';
export { ExtensionError } from './dispatch/extension.error.js';
export type { ExtensionHandle } from './dispatch/extension-handle.interface.js';
export type {
  ExtensionContext,
  ExtensionMethod,
  ExtensionNotification,
  ExtensionSubscription,
  InterceptedCall,
  McpExtension,
  SubscriptionSender,
} from './dispatch/extension.interface.js';
export type {
  CallHost,
  CallOrigin,
  CallOutcome,
  HostedCall,
  RunningCall,
} from './dispatch/hosted-call.interface.js';
export type {
  ExtensionCapabilities,
  ExtensionDeclaration,
  ExtensionStability,
} from './settings/extensions/extension.interface.js';

// Tasks
export { McpTasks } from './extensions/tasks/mcp-tasks.js';
export type { TaskTimes } from './extensions/tasks/ledger/task-creation.js';
export { InjectTasks } from './decorators/inject.decorator.js';
export { getTasksToken } from './settings/mcp.constants.js';
export type { TaskQueue, TasksOptions } from './settings/extensions/tasks-options.interface.js';
export type {
  TaskCall,
  TaskHolders,
  TaskProfile,
  TaskRecord,
  TaskSelection,
  TaskStatus,
  TaskStore,
} from './settings/extensions/task-store.interface.js';

// The protocol
export { ErrorCode } from './protocol/error-codes.js';
export { McpError } from './protocol/mcp.error.js';
export { UriTemplate, UriTemplateError } from './protocol/uri-template.js';
export type { TemplateValues } from './protocol/uri-template/expand-template.js';
export type { VariableValues } from './protocol/uri-template/read-variables.js';
export type { ClientCapabilities, OpenObject, ServerCapabilities } from './protocol/capabilities.js';
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
} from './protocol/content.js';
export type {
  Annotations,
  Icon,
  Implementation,
  PromptArgument,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolAnnotations,
  ToolDefinition,
} from './protocol/definitions.js';
export type {
  ClientRequest,
  ElicitationAction,
  ModelPreferences,
  Root,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingResult,
  ToolResultContent,
  ToolUseContent,
} from './protocol/client-requests.js';
export type { InputRequiredResult } from './protocol/input-required.js';
export type { JsonRpcErrorObject, Params, ProgressToken, RequestId } from './protocol/json-rpc.js';
export type { LogLevel } from './protocol/log-level.js';
export type { RequestMeta } from './protocol/meta-keys.js';
export type {
  CacheHint,
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  PromptMessage,
  ReadResourceResult,
} from './protocol/results.js';
export type { Revision } from './protocol/revisions.js';

export { McpClientModule } from './mcp-client.module.js';
export type {
  CallerClientsOptions,
  ExchangeOptions,
  FollowTasksOptions,
  HttpClientOptions,
  McpClientOptions,
  McpClientRegistration,
  ReconnectOptions,
  SharedClientOptions,
  StdioClientOptions,
} from './options/mcp-client-options.js';
export type { McpClientAsyncRegistration, McpClientOptionsFactory } from './options/mcp-client-options.js';

export { InjectMcpClient } from './inject-mcp-client.decorator.js';
export { getMcpClientToken } from './client-module.constants.js';
export { McpClient } from './mcp-client.js';
export type {
  McpCallOptions,
  McpCompletionRequest,
  McpForwardedRequest,
  McpListOptions,
  McpRequestOptions,
} from './mcp-client-calls.js';
export { McpClientSkills } from './skills/mcp-client-skills.js';
export type { SkillFile } from './skills/mcp-client-skills.js';
export type { Skill, SkillFrontmatter, SkillResource } from '../../core/skills/skill.js';
export type { McpClientState } from './connection/connection.js';
export type { ServerNotification } from './connection/connection.js';
export type { ResourceUpdate } from './listening/resource-subscriptions.js';
export type { McpTaskStatus } from './mcp-client-calls.js';

export {
  McpElicitation,
  McpRoots,
  McpSampling,
  type McpElicitationOptions,
} from './handlers/input-request.decorators.js';
export type { McpInputRequestHandlers, McpQuestionContext } from './handlers/input-request.decorators.js';

export { McpClients } from './mcp-clients.js';
export type { CallerClaims, CallerExchange, McpCaller } from './caller-clients.js';

export {
  McpClientHealthIndicator,
  type McpClientHealth,
  type McpClientHealthOptions,
} from './health/mcp-client.health-indicator.js';

export {
  CallerUnknownError,
  McpCapabilityMissingError,
  McpClientClosedError,
  McpClientCommandError,
  McpClientConfigurationError,
  McpClientError,
  McpClientLimitedError,
  McpClientUnauthorizedError,
  McpClientUnavailableError,
  McpConnectionLostError,
  McpResponseTooLargeError,
  McpTaskEndedError,
  McpUrlElicitationRequiredError,
  OfficialClientMissingError,
  QuestionUnansweredError,
  SessionEndedError,
  SkillUnverifiedError,
  SkillsUnsupportedError,
  type EndedTask,
  type SkillProblem,
} from './errors.js';
export type { RateLimit } from '../../core/protocol/rate-limited.error.js';
export type { RequiredElicitation } from '../../core/protocol/input-requests.js';

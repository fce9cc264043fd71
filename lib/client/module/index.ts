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
export type {
  McpClientAsyncRegistration,
  McpClientOptionsFactory,
} from './options/mcp-client-async-registration.interface.js';

export { InjectMcpClient } from './inject-mcp-client.decorator.js';
export { getMcpClientToken } from './client-module.constants.js';
export { McpClient } from './mcp-client.js';
export type {
  McpCallOptions,
  McpCompletionRequest,
  McpListOptions,
  McpRequestOptions,
} from './mcp-client-calls.interface.js';
export { McpClientSkills } from './skills/mcp-client-skills.js';
export type { SkillFile } from './skills/skill-file.js';
export type { Skill, SkillFrontmatter, SkillResource } from '../../core/skills/skill.js';
export type { McpClientState } from './connection/client-state.js';
export type { ServerNotification } from './connection/server-notification.interface.js';
export type { ResourceUpdate } from './listening/resource-subscriptions.js';
export type { McpTaskStatus } from './tasks/task-options.interface.js';

export {
  McpElicitation,
  McpRoots,
  McpSampling,
  type McpElicitationOptions,
} from './handlers/question.decorators.js';
export type { McpQuestionContext } from './handlers/question-context.interface.js';

export { McpClients } from './mcp-clients.js';
export type { CallerClaims, CallerExchange, McpCaller } from './callers/mcp-caller.interface.js';

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
  type SkillFault,
} from './errors.js';
export type { RateLimit } from '../../core/protocol/rate-limited.error.js';
export type { RequiredElicitation } from '../../core/protocol/required-elicitations.js';

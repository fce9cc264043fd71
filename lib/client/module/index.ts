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
} from './options/mcp-client-options.interface.js';
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

export { CallerUnknownError } from './errors/caller-unknown.error.js';
export { McpCapabilityMissingError } from './errors/capability-missing.error.js';
export { McpClientClosedError } from './errors/client-closed.error.js';
export { McpClientConfigurationError } from './errors/client-configuration.error.js';
export { McpClientCommandError } from './errors/client-command.error.js';
export { McpClientLimitedError } from './errors/client-limited.error.js';
export type { RateLimit } from '../../core/protocol/rate-limited.error.js';
export { McpClientUnauthorizedError } from './errors/client-unauthorized.error.js';
export { McpClientUnavailableError } from './errors/client-unavailable.error.js';
export { McpConnectionLostError } from './errors/connection-lost.error.js';
export { McpClientError } from './errors/mcp-client.error.js';
export { McpResponseTooLargeError } from './errors/response-too-large.error.js';
export { McpTaskEndedError, type EndedTask } from './errors/task-ended.error.js';
export { OfficialClientMissingError } from './errors/official-client-missing.error.js';
export { QuestionUnansweredError } from './errors/question-unanswered.error.js';
export { McpUrlElicitationRequiredError } from './errors/url-elicitation-required.error.js';
export type { RequiredElicitation } from '../../core/protocol/required-elicitations.js';
export { SkillUnverifiedError, type SkillFault } from './errors/skill-unverified.error.js';
export { SkillsUnsupportedError } from './errors/skills-unsupported.error.js';
export { SessionEndedError } from './errors/session-ended.error.js';

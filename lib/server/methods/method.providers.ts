import type { Provider } from '@nestjs/common';
import { MCP_METHODS } from '../settings/mcp.constants.js';
import { CapabilitiesDeclaration } from './capabilities-declaration.js';
import { CompletionCompleteMethod } from './completion-complete.method.js';
import { InitializeMethod } from './initialize.method.js';
import { LoggingSetLevelMethod } from './logging-set-level.method.js';
import type { McpMethod } from './mcp-method.interface.js';
import { PingMethod } from './ping.method.js';
import { PromptsGetMethod } from './prompts-get.method.js';
import { PromptsListMethod } from './prompts-list.method.js';
import { ResourcesListMethod } from './resources-list.method.js';
import { ResourcesReadMethod } from './resources-read.method.js';
import { ResourcesSubscribeMethod } from './resources-subscribe.method.js';
import { ResourcesTemplatesListMethod } from './resources-templates-list.method.js';
import { ResourcesUnsubscribeMethod } from './resources-unsubscribe.method.js';
import { ToolSearch } from './search/tool-search.js';
import { ServerDiscoverMethod } from './server-discover.method.js';
import { SubscriptionsListenMethod } from './subscriptions-listen.method.js';
import { ToolCallInterceptors } from './tool-call-interceptors.js';
import { ToolsCallMethod } from './tools-call.method.js';
import { ToolsListMethod } from './tools-list.method.js';

const METHODS = [
  InitializeMethod,
  PingMethod,
  ServerDiscoverMethod,
  ToolsListMethod,
  ToolsCallMethod,
  ResourcesListMethod,
  ResourcesTemplatesListMethod,
  ResourcesReadMethod,
  ResourcesSubscribeMethod,
  ResourcesUnsubscribeMethod,
  PromptsListMethod,
  PromptsGetMethod,
  CompletionCompleteMethod,
  LoggingSetLevelMethod,
  SubscriptionsListenMethod,
] as const;

/** Every method of the protocol that the server has, and the list of them. */
export const METHOD_PROVIDERS: readonly Provider[] = [
  CapabilitiesDeclaration,
  ToolCallInterceptors,
  ToolSearch,
  ...METHODS,
  {
    provide: MCP_METHODS,
    useFactory: (...methods: readonly McpMethod[]) => methods,
    inject: [...METHODS],
  },
];

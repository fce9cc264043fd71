import { InputResponseForwarding } from '../input-requests/input-response-forwarding.js';
import { InputRequesterFactory } from '../input-requests/input-requester-factory.js';
import { InputRounds } from '../input-requests/input-rounds.js';
import { RequestStateCodec } from '../input-requests/request-state.js';
import { loadSearchLibrary } from '../catalog/search/tool-index.js';
import { MisplacedConcurrency } from '../limits/misplaced-concurrency.js';
import { HandlerLimits } from '../limits/handler-limits.js';
import { Throttling } from '../limits/throttling.js';
import { CapabilitiesDeclaration } from '../methods/capabilities-declaration.js';
import { CompletionCompleteMethod } from '../methods/completion-complete.method.js';
import { InitializeMethod, PingMethod, ServerDiscoverMethod } from '../methods/handshake.methods.js';
import {
  LoggingSetLevelMethod,
  ResourcesSubscribeMethod,
  ResourcesUnsubscribeMethod,
} from '../methods/session.methods.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { PromptsGetMethod } from '../methods/prompts-get.method.js';
import {
  PromptsListMethod,
  ResourcesListMethod,
  ResourcesTemplatesListMethod,
  ToolsListMethod,
} from '../methods/lists/list.methods.js';
import { ResourcesReadMethod } from '../methods/resources-read.method.js';
import { ToolSearch } from '../methods/tool-search.js';
import { SubscriptionsListenMethod } from '../methods/subscriptions-listen.method.js';
import { ToolCallInterceptors, ToolsCallMethod } from '../methods/tools-call.method.js';
import type { CatalogParts } from './create-catalog.js';
import type { FoundationParts } from './create-foundation.js';
import type { NotificationParts } from './create-notifications.js';
import type { SessionParts } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';

export type AskingParts = ReturnType<typeof createAsking>;
export type LimitParts = ReturnType<typeof createLimits>;
export type MethodParts = Awaited<ReturnType<typeof createMethods>>;

/** Creates the parts through which handlers send input requests to their clients. */
export function createAsking(
  { settings }: Pick<ServerInputs, 'settings'>,
  { bus, owners, waits, sealer }: FoundationParts,
  { registry, ended }: SessionParts,
) {
  return {
    inputRequesters: new InputRequesterFactory(new RequestStateCodec(sealer, settings, ended), settings, bus),
    rounds: new InputRounds(),
    answers: new InputResponseForwarding(bus, owners, waits, registry),
  };
}

/** Creates rate limits and concurrency limits. */
export function createLimits({ settings, identity, nest }: ServerInputs, catalog: CatalogParts) {
  const { moduleRef, application, discovery, scanner } = nest;
  const { registries } = catalog;
  const throttling = new Throttling(moduleRef, application, identity, settings, registries);
  return {
    misplaced: new MisplacedConcurrency(discovery, scanner),
    throttling,
    limits: new HandlerLimits(throttling),
  };
}

interface MethodInputs {
  readonly catalog: CatalogParts;
  readonly sessions: SessionParts;
  readonly notifications: NotificationParts;
  readonly asking: AskingParts;
  readonly limits: HandlerLimits;
}

/** Creates the protocol methods that the server supports. */
export async function createMethods(
  { settings }: Pick<ServerInputs, 'settings'>,
  { catalog, sessions, notifications, asking, limits }: MethodInputs,
) {
  const { tools, resources, templates, prompts, completions, access, visibility, invoker, digests } = catalog;
  const { listeners, subscriptions, views, staleLists } = notifications;
  const { rounds } = asking;
  const { shared } = sessions;
  const capabilities = new CapabilitiesDeclaration(settings, catalog.registries);
  const interceptors = new ToolCallInterceptors();
  const methods: readonly McpMethod[] = [
    new InitializeMethod(settings, capabilities, digests),
    new PingMethod(),
    new ServerDiscoverMethod(settings, capabilities),
    new ToolsListMethod(tools, settings, visibility, staleLists),
    new ToolsCallMethod(tools, rounds, interceptors, settings, limits, invoker),
    new ResourcesListMethod(resources, settings, visibility, staleLists),
    new ResourcesTemplatesListMethod(templates, settings, visibility, staleLists),
    new ResourcesReadMethod(access, rounds, settings, visibility, limits),
    new ResourcesSubscribeMethod(shared, access, views),
    new ResourcesUnsubscribeMethod(shared, access),
    new PromptsListMethod(prompts, settings, visibility, staleLists),
    new PromptsGetMethod(prompts, rounds, settings, limits),
    new CompletionCompleteMethod(completions, prompts, resources, templates, settings, limits),
    new LoggingSetLevelMethod(shared),
    new SubscriptionsListenMethod(listeners, subscriptions, capabilities, settings, access),
  ];
  return {
    capabilities,
    interceptors,
    methods,
    search: new ToolSearch(tools, visibility, settings, await loadSearchLibrary(settings)),
  };
}

import type { Provider } from '@nestjs/common';
import { CALL_OPENER, SEARCH_LIBRARY, SERVER_SETTINGS } from '../settings/mcp.constants.js';
import { AddedScopes } from './added-scopes.js';
import { CatalogueLoader } from './discovery/catalogue.loader.js';
import { HandlerExplorer } from './discovery/handler.explorer.js';
import { LazyModules } from './discovery/lazy-modules.js';
import { MetadataAccessor } from './discovery/metadata.accessor.js';
import { ServerAssignments } from './discovery/server-assignments.js';
import { FunctionCalls } from './invocation/function-calls.js';
import { HandlerInvoker } from './invocation/handler-invoker.js';
import { ListDigests } from './listing/list-digests.js';
import { HostReport } from './listing/host-report.js';
import { McpCatalogue } from './mcp-catalogue.js';
import {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from './registries.js';
import { ResourceAccess } from './resource-access.js';
import { loadSearchLibrary } from './search/load-search-library.js';
import { ForwardedCalls } from './search/forwarded-calls.js';
import { SharedChanges } from './shared-changes.js';
import { Visibility } from './visibility/visibility.js';

/**
 * The catalogue of one server. Its module imports Nest's `DiscoveryModule` and provides `SERVER_IDENTITY` and
 * `SERVER_SETTINGS`.
 */
export const CATALOGUE_PROVIDERS: readonly Provider[] = [
  ToolRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  PromptRegistry,
  CompletionRegistry,
  ResourceAccess,
  AddedScopes,
  MetadataAccessor,
  HandlerExplorer,
  ServerAssignments,
  FunctionCalls,
  HandlerInvoker,
  CatalogueLoader,
  LazyModules,
  SharedChanges,
  McpCatalogue,
  HostReport,
  ListDigests,
  Visibility,
  { provide: SEARCH_LIBRARY, useFactory: loadSearchLibrary, inject: [SERVER_SETTINGS] },
  { provide: CALL_OPENER, useExisting: ForwardedCalls },
];

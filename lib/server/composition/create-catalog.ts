import { ExtensionScopes, Registries } from '../catalog/registries.js';
import { CatalogLoader, LazyModules } from '../catalog/discovery/catalog.loader.js';
import { HandlerExplorer, MetadataAccessor } from '../catalog/discovery/handler.explorer.js';
import { ServerAssignments } from '../catalog/discovery/server-assignments.js';
import { FunctionCalls } from '../catalog/invocation/direct-call.js';
import { HandlerInvoker } from '../catalog/invocation/handler-invoker.js';
import { HostReport } from '../catalog/listing/host-report.js';
import { ListDigests } from '../catalog/listing/list-digests.js';
import { McpCatalog } from '../catalog/mcp-catalog.js';
import { ResourceAccess } from '../catalog/resource-access.js';
import { ForwardedCalls } from '../catalog/search/listed-tools.js';
import { SharedChanges } from '../catalog/shared-changes.js';
import { Visibility } from '../catalog/visibility/visibility.js';
import type { ServerInputs } from './server-inputs.js';

export type CatalogContents = ReturnType<typeof createContents>;
export type CatalogParts = ReturnType<typeof createCatalog>;

/** Creates the registries, which an application can fill before the server options are known. */
export function createContents() {
  const registries = new Registries();
  const { tools, resources, templates, prompts, completions } = registries;
  const changes = new SharedChanges();
  const functions = new FunctionCalls();
  const catalog = new McpCatalog(tools, resources, templates, prompts, changes, functions, completions);
  return { registries, changes, functions, catalog };
}

/** Creates the parts that discover and invoke a server's handlers. */
export function createCatalog(
  { settings, identity, nest }: Pick<ServerInputs, 'settings' | 'identity' | 'nest'>,
  { registries, functions }: Pick<CatalogContents, 'registries' | 'functions'>,
) {
  const { moduleRef, modules, application, discovery, scanner, lazyModules } = nest;
  const { tools, resources, templates, prompts } = registries;
  const assignments = new ServerAssignments(discovery);
  const explorer = new HandlerExplorer(discovery, scanner, new MetadataAccessor());
  const invoker = new HandlerInvoker(moduleRef, modules, application, settings, functions);
  const visibility = new Visibility(moduleRef, tools, resources, templates, prompts, settings);
  const loader = new CatalogLoader(registries, explorer, assignments, invoker, identity, settings);
  return {
    ...registries,
    registries,
    assignments,
    invoker,
    loader,
    lazyModules: new LazyModules(lazyModules, loader),
    visibility,
    access: new ResourceAccess(resources, templates),
    addedScopes: new ExtensionScopes(),
    hostReport: new HostReport(tools, settings),
    digests: new ListDigests(tools, prompts, resources, templates, settings),
    forwarded: new ForwardedCalls(settings, tools),
  };
}

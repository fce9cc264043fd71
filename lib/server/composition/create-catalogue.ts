import { AddedScopes } from '../catalogue/added-scopes.js';
import { CatalogueLoader } from '../catalogue/discovery/catalogue.loader.js';
import { HandlerExplorer } from '../catalogue/discovery/handler.explorer.js';
import { LazyModules } from '../catalogue/discovery/lazy-modules.js';
import { MetadataAccessor } from '../catalogue/discovery/metadata.accessor.js';
import { ServerAssignments } from '../catalogue/discovery/server-assignments.js';
import { FunctionCalls } from '../catalogue/invocation/function-calls.js';
import { HandlerInvoker } from '../catalogue/invocation/handler-invoker.js';
import { HostReport } from '../catalogue/listing/host-report.js';
import { ListDigests } from '../catalogue/listing/list-digests.js';
import { McpCatalogue } from '../catalogue/mcp-catalogue.js';
import { Registries } from '../catalogue/registries.js';
import { ResourceAccess } from '../catalogue/resource-access.js';
import { ForwardedCalls } from '../catalogue/search/forwarded-calls.js';
import { SharedChanges } from '../catalogue/shared-changes.js';
import { Visibility } from '../catalogue/visibility/visibility.js';
import type { ServerInputs } from './server-inputs.js';

export type CatalogueContents = ReturnType<typeof createContents>;
export type CatalogueParts = ReturnType<typeof createCatalogue>;

/** Makes what an application may add to before the options of the server are known. */
export function createContents() {
  const registries = new Registries();
  const { tools, resources, templates, prompts } = registries;
  const changes = new SharedChanges();
  const functions = new FunctionCalls();
  const catalogue = new McpCatalogue(tools, resources, templates, prompts, changes, functions);
  return { registries, changes, functions, catalogue };
}

/** Makes what finds the handlers of a server, and calls them. */
export function createCatalogue(
  { settings, identity, nest }: Pick<ServerInputs, 'settings' | 'identity' | 'nest'>,
  { registries, functions }: Pick<CatalogueContents, 'registries' | 'functions'>,
) {
  const { moduleRef, modules, application, discovery, scanner, lazyModules } = nest;
  const { tools, resources, templates, prompts } = registries;
  const assignments = new ServerAssignments(discovery);
  const explorer = new HandlerExplorer(discovery, scanner, new MetadataAccessor());
  const invoker = new HandlerInvoker(moduleRef, modules, application, settings, functions);
  const visibility = new Visibility(moduleRef, tools, resources, templates, prompts, settings);
  const loader = new CatalogueLoader(registries, explorer, assignments, invoker, identity, settings);
  return {
    ...registries,
    registries,
    assignments,
    invoker,
    loader,
    lazyModules: new LazyModules(lazyModules, loader),
    visibility,
    access: new ResourceAccess(resources, templates),
    addedScopes: new AddedScopes(),
    hostReport: new HostReport(tools, settings),
    digests: new ListDigests(tools, prompts, resources, templates, settings),
    forwarded: new ForwardedCalls(settings, tools),
  };
}

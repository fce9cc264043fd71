import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../core/protocol/definitions.js';
import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../settings/handler-options.interface.js';
import {
  buildPromptEntry,
  buildResourceEntry,
  buildResourceTemplateEntry,
  buildToolEntry,
} from './building/build-entries.js';
import {
  findPromptMisfits,
  findResourceMisfits,
  findResourceTemplateMisfits,
  findToolMisfits,
} from './building/find-function-misfits.js';
import { CatalogArea } from './catalog-area.js';
import type { HandlerFunction } from './invocation/direct-call.js';
import { FunctionCalls } from './invocation/function-calls.js';
import type {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from './registries.js';
import { SharedChanges, type SharedChange, type SharedChangeOptions } from './shared-changes.js';

/**
 * Changes the catalog of a running server, including entries that decorators declared.
 *
 * @example
 * this.catalog.tools.add({ name: 'now', description: 'Tells the time' }, () => new Date().toISOString());
 * this.catalog.tools.update('now', { description: 'Tells the time in UTC' });
 * this.catalog.tools.remove('now');
 */
export class McpCatalog {
  /** The tools, by name. */
  readonly tools: CatalogArea<ToolDefinition, ToolOptions, 'name'>;
  /** The resources, by URI. */
  readonly resources: CatalogArea<ResourceDefinition, ResourceOptions, 'uri'>;
  /** The resource templates, by URI template. */
  readonly resourceTemplates: CatalogArea<ResourceTemplateDefinition, ResourceTemplateOptions, 'uriTemplate'>;
  /** The prompts, by name. */
  readonly prompts: CatalogArea<PromptDefinition, PromptOptions, 'name'>;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    resourceTemplates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
    private readonly changes: SharedChanges = new SharedChanges(),
    functions: FunctionCalls = new FunctionCalls(),
  ) {
    const createInvoke = (handler: HandlerFunction) => functions.create(handler);
    this.tools = new CatalogArea(tools, {
      build: buildToolEntry,
      findMisfits: findToolMisfits,
      createInvoke,
    });
    this.resources = new CatalogArea(resources, {
      build: buildResourceEntry,
      findMisfits: findResourceMisfits,
      createInvoke,
    });
    this.resourceTemplates = new CatalogArea(resourceTemplates, {
      build: buildResourceTemplateEntry,
      findMisfits: findResourceTemplateMisfits,
      createInvoke,
    });
    this.prompts = new CatalogArea(prompts, {
      build: buildPromptEntry,
      findMisfits: findPromptMisfits,
      createInvoke,
    });
  }

  /**
   * Defines a change of the catalog that every process of the server makes, in the same order. Functions cannot
   * travel between processes, so each process makes the change from a JSON value of at most 65,536 characters. A
   * process that starts later must read the current state from the application's own store. Define changes in the
   * constructor of a provider.
   *
   * @param name names the change in every process
   * @param make makes the change, in this process too. It may be called twice for one change
   * @returns a function that makes the change everywhere. Its promise rejects if the change fails in this process
   * @throws {CatalogError} if another change has the name
   * @example
   * constructor(private readonly catalog: McpCatalog, private readonly reports: Reports) {
   *   this.addReport = catalog.broadcastChange('add-report', async ({ id }: { id: string }) => {
   *     const report = await reports.get(id);
   *     catalog.tools.remove(report.name);
   *     catalog.tools.add({ name: report.name, description: report.title }, () => report.run());
   *   });
   * }
   */
  broadcastChange<Payload>(
    name: string,
    make: (payload: Payload) => unknown,
    options: SharedChangeOptions = {},
  ): SharedChange<Payload> {
    return this.changes.share(name, make, options);
  }
}

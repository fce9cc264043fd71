import { Injectable } from '@nestjs/common';
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
import { CatalogueArea } from './catalogue-area.js';
import { PromptRegistry, ResourceRegistry, ResourceTemplateRegistry, ToolRegistry } from './registries.js';

/**
 * Changes what a server offers while it runs, what decorators declared included.
 *
 * @example
 * this.catalogue.tools.add({ name: 'now', description: 'Tells the time' }, () => new Date().toISOString());
 * this.catalogue.tools.update('now', { description: 'Tells the time in UTC' });
 * this.catalogue.tools.remove('now');
 */
@Injectable()
export class McpCatalogue {
  /** The tools, by name. */
  readonly tools: CatalogueArea<ToolDefinition, ToolOptions, 'name'>;
  /** The resources, by URI. */
  readonly resources: CatalogueArea<ResourceDefinition, ResourceOptions, 'uri'>;
  /** The resource templates, by URI template. */
  readonly resourceTemplates: CatalogueArea<
    ResourceTemplateDefinition,
    ResourceTemplateOptions,
    'uriTemplate'
  >;
  /** The prompts, by name. */
  readonly prompts: CatalogueArea<PromptDefinition, PromptOptions, 'name'>;

  constructor(
    tools: ToolRegistry,
    resources: ResourceRegistry,
    resourceTemplates: ResourceTemplateRegistry,
    prompts: PromptRegistry,
  ) {
    this.tools = new CatalogueArea(tools, buildToolEntry);
    this.resources = new CatalogueArea(resources, buildResourceEntry);
    this.resourceTemplates = new CatalogueArea(resourceTemplates, buildResourceTemplateEntry);
    this.prompts = new CatalogueArea(prompts, buildPromptEntry);
  }
}

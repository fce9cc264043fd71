import type { ModuleRef } from '@nestjs/core';
import {
  ExtensionScopes,
  CompletionRegistry,
  formatCompletionKey,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../lib/server/catalog/registries.js';
import { buildAccess } from '../../../lib/server/catalog/building/build-access.js';
import { McpCatalog } from '../../../lib/server/catalog/mcp-catalog.js';
import { ResourceAccess } from '../../../lib/server/catalog/resource-access.js';
import { Visibility } from '../../../lib/server/catalog/visibility/visibility.js';
import { ResourceScopes, SubscriberViews } from '../../../lib/server/notifications/notification-scopes.js';
import type { Invoke } from '../../../lib/server/catalog/entries.js';
import { buildServerSettings } from '../../../lib/server/settings/server-settings.js';
import type {
  AccessOptions,
  CompleteOptions,
} from '../../../lib/server/settings/handler-options.interface.js';

const SETTINGS = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' } });

/** A catalog with its registries, empty. */
export class TestCatalog {
  readonly tools = new ToolRegistry();
  readonly resources = new ResourceRegistry();
  readonly templates = new ResourceTemplateRegistry();
  readonly prompts = new PromptRegistry();
  readonly completions = new CompletionRegistry();
  readonly resourceAccess = new ResourceAccess(this.resources, this.templates);
  readonly addedScopes = new ExtensionScopes();
  readonly visibility = new Visibility(
    {} as ModuleRef,
    this.tools,
    this.resources,
    this.templates,
    this.prompts,
    SETTINGS,
  );
  readonly views = new SubscriberViews(new ResourceScopes(this.resourceAccess, this.visibility));
  /** Adds entries as an application does. */
  readonly entries = new McpCatalog(this.tools, this.resources, this.templates, this.prompts);

  addCompletion(options: CompleteOptions, invoke: Invoke, access?: AccessOptions): void {
    this.completions.add({ key: formatCompletionKey(options), invoke, ...buildAccess(access ?? {}) });
  }
}

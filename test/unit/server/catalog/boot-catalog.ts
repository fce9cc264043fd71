import 'reflect-metadata';
import type { DynamicModule, INestApplication, Provider, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Invoke } from '../../../../lib/server/catalog/entries.js';
import type {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';
import { ComposedServer } from '../../../../lib/server/composition/composed-server.js';
import {
  createCatalog,
  createContents,
  type CatalogContents,
} from '../../../../lib/server/composition/create-catalog.js';
import { NestParts } from '../../../../lib/server/composition/server-inputs.js';
import type { AuthView } from '../../../../lib/server/context/auth-view.interface.js';
import { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { Params } from '../../../../lib/core/protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../../lib/core/protocol/revisions.js';
import {
  CATALOG_CONTENTS,
  COMPOSED_SERVER,
  SERVER_IDENTITY,
} from '../../../../lib/server/settings/mcp.constants.js';
import { buildServerSettings } from '../../../../lib/server/settings/server-settings.js';

interface CatalogOptions {
  readonly providers?: Provider[];
  readonly controllers?: Type[];
  readonly imports?: (Type | DynamicModule)[];
  readonly globalEnhancers?: boolean;
  readonly configure?: (app: INestApplication) => void;
}

/** The catalog of an application that has started. */
export interface RunningCatalog {
  readonly app: INestApplication;
  readonly tools: ToolRegistry;
  readonly resources: ResourceRegistry;
  readonly resourceTemplates: ResourceTemplateRegistry;
  readonly prompts: PromptRegistry;
  readonly completions: CompletionRegistry;
  readonly catalog: McpCatalog;
  /** Calls a tool the way `tools/call` does. */
  call(name: string, args?: unknown, context?: RequestContext): Promise<unknown>;
}

/** Starts an application with one server's catalog and nothing else of the library. */
export async function bootCatalog(options: CatalogOptions): Promise<RunningCatalog> {
  const { providers = [], controllers = [], imports = [], globalEnhancers = false } = options;
  const testing = Test.createTestingModule({
    imports: [buildServerModule({ server: 'default', isDefault: false }, globalEnhancers), ...imports],
    providers,
    controllers,
  });
  const app = (await testing.compile()).createNestApplication({ logger: false });
  options.configure?.(app);
  await app.init();
  const { registries, catalog } = app.get<CatalogContents>(CATALOG_CONTENTS);
  const { tools, resources, templates, prompts, completions } = registries;
  return {
    app,
    tools,
    resources,
    resourceTemplates: templates,
    prompts,
    completions,
    catalog,
    call: (name, args = {}, context = buildContext()) => invoke(tools.find(name)?.invoke, args, context),
  };
}

/** Calls a handler whose error may come at once. */
export async function invoke(
  handler: Invoke | undefined,
  args: unknown,
  context = buildContext(),
): Promise<unknown> {
  if (handler === undefined) throw new Error('There is no such handler');
  return handler(args, context);
}

/** The module of one server, as far as its catalog needs one. */
export function buildServerModule(
  identity: { readonly server: string; readonly isDefault: boolean },
  globalEnhancers = false,
): DynamicModule {
  const settings = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' }, globalEnhancers });
  const compose = (contents: CatalogContents, nest: NestParts) =>
    new ComposedServer({ catalog: createCatalog({ settings, identity, nest }, contents) });
  return {
    module: class ServerModule {},
    global: true,
    imports: [DiscoveryModule],
    providers: [
      NestParts,
      { provide: SERVER_IDENTITY, useValue: identity },
      { provide: CATALOG_CONTENTS, useFactory: createContents },
      { provide: COMPOSED_SERVER, useFactory: compose, inject: [CATALOG_CONTENTS, NestParts] },
      {
        provide: McpCatalog,
        useFactory: ({ catalog }: CatalogContents) => catalog,
        inject: [CATALOG_CONTENTS],
      },
    ],
    exports: [McpCatalog, CATALOG_CONTENTS],
  };
}

/** The context of a call over a transport that keeps nothing. */
export function buildContext(params: Params = {}, auth?: AuthView): RequestContext {
  const peer = { revision: NEWEST_HANDSHAKE_REVISION, client: { capabilities: {} } };
  const channel = { takesMessages: true, send: () => undefined };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params } as const;
  return new RequestContext(request, { peer, channel, auth });
}

import 'reflect-metadata';
import type { DynamicModule, INestApplication, Provider, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Invoke } from '../../../../lib/server/catalogue/entries.js';
import type {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalogue/registries.js';
import { McpCatalogue } from '../../../../lib/server/catalogue/mcp-catalogue.js';
import { ComposedServer } from '../../../../lib/server/composition/composed-server.js';
import {
  createCatalogue,
  createContents,
  type CatalogueContents,
} from '../../../../lib/server/composition/create-catalogue.js';
import { NestParts } from '../../../../lib/server/composition/server-inputs.js';
import type { AuthView } from '../../../../lib/server/context/auth-view.interface.js';
import { RequestContext } from '../../../../lib/server/context/request-context.js';
import type { Params } from '../../../../lib/core/protocol/json-rpc.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../../lib/core/protocol/revisions.js';
import {
  CATALOGUE_CONTENTS,
  COMPOSED_SERVER,
  SERVER_IDENTITY,
} from '../../../../lib/server/settings/mcp.constants.js';
import { buildServerSettings } from '../../../../lib/server/settings/server-settings.js';

interface CatalogueOptions {
  readonly providers?: Provider[];
  readonly controllers?: Type[];
  readonly imports?: (Type | DynamicModule)[];
  readonly globalEnhancers?: boolean;
  readonly configure?: (app: INestApplication) => void;
}

/** The catalogue of an application that has started. */
export interface RunningCatalogue {
  readonly app: INestApplication;
  readonly tools: ToolRegistry;
  readonly resources: ResourceRegistry;
  readonly resourceTemplates: ResourceTemplateRegistry;
  readonly prompts: PromptRegistry;
  readonly completions: CompletionRegistry;
  readonly catalogue: McpCatalogue;
  /** Calls a tool the way `tools/call` does. */
  call(name: string, args?: unknown, context?: RequestContext): Promise<unknown>;
}

/** Starts an application with one server's catalogue and nothing else of the library. */
export async function bootCatalogue(options: CatalogueOptions): Promise<RunningCatalogue> {
  const { providers = [], controllers = [], imports = [], globalEnhancers = false } = options;
  const testing = Test.createTestingModule({
    imports: [buildServerModule({ server: 'default', isDefault: false }, globalEnhancers), ...imports],
    providers,
    controllers,
  });
  const app = (await testing.compile()).createNestApplication({ logger: false });
  options.configure?.(app);
  await app.init();
  const { registries, catalogue } = app.get<CatalogueContents>(CATALOGUE_CONTENTS);
  const { tools, resources, templates, prompts, completions } = registries;
  return {
    app,
    tools,
    resources,
    resourceTemplates: templates,
    prompts,
    completions,
    catalogue,
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

/** The module of one server, as far as its catalogue needs one. */
export function buildServerModule(
  identity: { readonly server: string; readonly isDefault: boolean },
  globalEnhancers = false,
): DynamicModule {
  const settings = buildServerSettings({ serverInfo: { name: 'desk', version: '1.0.0' }, globalEnhancers });
  const compose = (contents: CatalogueContents, nest: NestParts) =>
    new ComposedServer({ catalogue: createCatalogue({ settings, identity, nest }, contents) });
  return {
    module: class ServerModule {},
    global: true,
    imports: [DiscoveryModule],
    providers: [
      NestParts,
      { provide: SERVER_IDENTITY, useValue: identity },
      { provide: CATALOGUE_CONTENTS, useFactory: createContents },
      { provide: COMPOSED_SERVER, useFactory: compose, inject: [CATALOGUE_CONTENTS, NestParts] },
      {
        provide: McpCatalogue,
        useFactory: ({ catalogue }: CatalogueContents) => catalogue,
        inject: [CATALOGUE_CONTENTS],
      },
    ],
    exports: [McpCatalogue, CATALOGUE_CONTENTS],
  };
}

/** The context of a call over a transport that keeps nothing. */
export function buildContext(params: Params = {}, auth?: AuthView): RequestContext {
  const peer = { revision: NEWEST_HANDSHAKE_REVISION, client: { capabilities: {} } };
  const channel = { takesMessages: true, send: () => undefined };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params } as const;
  return new RequestContext(request, { peer, channel, auth });
}

import { isAppUri, MODEL_ONLY } from '../../core/protocol/apps/app-meta.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';
import { parseUri } from '../../core/protocol/uri-template.js';
import {
  UriTemplate,
  type AccessOptions,
  type McpCatalog,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ToolDefinition,
} from '../../index.js';
import {
  describeNamed,
  describeResource,
  describeShown,
  describeShownResource,
  describeTemplate,
} from '../entries/describe-entries.js';
import { computeDigest, PinnedTools } from '../entries/definition-digest.js';
import { EntryNames } from '../entries/entry-names.js';
import { createListedSchema } from '../entries/listed-schema.js';
import { OfferedEntries, type NewOffer, type RefusedEntry } from '../entries/offered-entries.js';
import { selectEntries, type SelectedEntry } from '../entries/select-entries.js';
import { isForApps, rewriteApp } from '../entries/tool-apps.js';
import type { ServerCalls } from '../calls/server-calls.js';
import { EntryHandlers } from '../calls/entry-handlers.js';
import type {
  GatewayEntryChanges,
  GatewayServerSettings,
  GatewayToolChanges,
} from '../settings/gateway-options.js';

/** A server's lists. A list that could not be read is absent, and its entries do not change. */
export interface ServerLists {
  readonly tools: readonly ToolDefinition[] | undefined;
  readonly resources: readonly ResourceDefinition[] | undefined;
  readonly resourceTemplates: readonly ResourceTemplateDefinition[] | undefined;
  readonly prompts: readonly PromptDefinition[] | undefined;
  readonly hasCompletions: boolean;
}

/** The options overridden by an entry's changes. */
interface Changed extends Omit<GatewayEntryChanges, 'name'> {
  readonly name?: string;
}

/** One server's entries in the gateway's catalog. */
export class ServerEntries {
  readonly #names: EntryNames;
  readonly #handlers: EntryHandlers;
  readonly #pinned: PinnedTools;
  readonly #tools: OfferedEntries;
  readonly #resources: OfferedEntries;
  readonly #templates: OfferedEntries;
  readonly #prompts: OfferedEntries;
  /** The URIs that the server lists, keyed with the URIs of the gateway in normal form. */
  readonly #uris = new Map<string, string>();
  readonly #uriTemplates = new Map<string, UriTemplate>();
  #listedTools: readonly ToolDefinition[] = [];
  #unconfirmed: readonly string[] = [];

  constructor(
    private readonly settings: GatewayServerSettings,
    private readonly catalog: McpCatalog,
    calls: ServerCalls,
  ) {
    const { prefix, uriPrefix, otherUriPrefixes, limits, pinned } = settings;
    const offers = (uri: string) => this.#resources.has(this.#names.formatUri(uri));
    this.#names = new EntryNames(prefix, uriPrefix, offers, otherUriPrefixes);
    this.#handlers = new EntryHandlers(settings.name, calls, this.#names);
    this.#pinned = new PinnedTools(pinned);
    this.#tools = new OfferedEntries('tool', limits, (key) => catalog.tools.remove(key));
    this.#resources = new OfferedEntries('resource', limits, (key) => this.#removeResource(key));
    this.#templates = new OfferedEntries('resourceTemplate', limits, (key) => this.#removeTemplate(key));
    this.#prompts = new OfferedEntries('prompt', limits, (key) => this.#removePrompt(key));
    this.#announce();
  }

  get counts() {
    return {
      tools: this.#tools.size,
      resources: this.#resources.size,
      resourceTemplates: this.#templates.size,
      prompts: this.#prompts.size,
    };
  }

  get refused(): readonly RefusedEntry[] {
    return [this.#tools, this.#resources, this.#templates, this.#prompts].flatMap(({ refused }) => refused);
  }

  get unconfirmed(): readonly string[] {
    return this.#unconfirmed;
  }

  /** The digests of the tools that the server currently lists. */
  get digests(): { readonly [tool: string]: string } {
    return Object.fromEntries(this.#listedTools.map((tool) => [tool.name, computeDigest(tool)]));
  }

  /** Confirms a tool's current definition. Returns whether the server has the tool. */
  confirm(name: string): boolean {
    const tool = this.#listedTools.find((one) => one.name === name);
    if (tool === undefined) return false;
    this.#pinned.confirm(name, computeDigest(tool));
    this.#replaceTools(this.#listedTools);
    return true;
  }

  /** Finds the resource of a URI of the gateway in normal form: the URI that the gateway offers, and the one that the server lists. */
  findOfferedUri(normal: string): { readonly uri: string; readonly listed: string } | undefined {
    const listed = this.#uris.get(normal);
    if (listed !== undefined) return { uri: this.#names.formatUri(listed), listed };
    const parsed = parseUri(normal);
    // A listed resource overrides templates, and belongs to another server.
    if (parsed === undefined || this.catalog.resources.find(normal) !== undefined) return undefined;
    const isMatched = [...this.#uriTemplates.values()].some((one) => one.match(parsed) !== undefined);
    return isMatched ? { uri: normal, listed: this.#names.parseUri(normal) } : undefined;
  }

  /** Makes the catalog offer the entries in these lists. */
  replace({ tools, resources, resourceTemplates, prompts, hasCompletions }: ServerLists): void {
    if (tools !== undefined) this.#replaceTools(tools);
    const { settings } = this;
    if (resources !== undefined) {
      const usable = settings.apps ? resources : resources.filter(({ uri }) => !isAppUri(uri));
      const selected = selectEntries(usable, settings.resources, describeResource);
      this.#resources.replace(selected.map((one) => this.#offerResource(one)));
    }
    if (resourceTemplates !== undefined) {
      const usable = settings.apps
        ? resourceTemplates
        : resourceTemplates.filter(({ uriTemplate }) => !isAppUri(uriTemplate));
      const selected = selectEntries(usable, settings.resources, describeTemplate);
      this.#templates.replace(selected.map((one) => this.#offerTemplate(one, hasCompletions)));
    }
    if (prompts !== undefined) {
      const selected = selectEntries(prompts, settings.prompts, describeNamed);
      this.#prompts.replace(selected.map((one) => this.#offerPrompt(one, hasCompletions)));
    }
  }

  /** Clients may connect before the server has been reached. */
  #announce(): void {
    const { tools, resources, prompts } = this.settings;
    if (tools !== false) this.catalog.tools.expect();
    if (resources !== false) this.catalog.resources.expect();
    if (prompts !== false) this.catalog.prompts.expect();
    if (resources !== false || prompts !== false) this.catalog.completions.expect();
  }

  #replaceTools(tools: readonly ToolDefinition[]): void {
    this.#listedTools = tools;
    const { settings } = this;
    const usable = settings.apps ? tools : tools.filter((tool) => !isForApps(tool));
    const selected = selectEntries(usable, settings.tools, describeNamed);
    const unconfirmed: string[] = [];
    const offers = selected.map((one) => {
      const { name } = one.listed;
      const isAccepted = this.#pinned.accepts(name, computeDigest(one.listed));
      if (!isAccepted) unconfirmed.push(name);
      return isAccepted ? this.#offerTool(one) : this.#offerUnconfirmed(one);
    });
    this.#tools.replace(offers);
    this.#unconfirmed = unconfirmed;
  }

  #offerTool({ listed, changes }: SelectedEntry<ToolDefinition, GatewayToolChanges>): NewOffer {
    const { name, inputSchema, outputSchema, annotations, execution } = listed;
    const { apps, isClosedToApps } = this.settings;
    const rewritten = rewriteApp(listed._meta, apps ? (uri) => this.#names.formatUri(uri) : undefined);
    const meta = isClosedToApps ? { ...rewritten, ...MODEL_ONLY } : rewritten;
    const shown = {
      ...describeShown(meta === undefined ? listed : { ...listed, _meta: meta }),
      ...((annotations ?? changes.annotations) && {
        annotations: { ...annotations, ...changes.annotations },
      }),
      inputSchema,
      outputSchema,
      taskSupport: execution?.taskSupport,
    };
    const { inputSchema: _input, outputSchema: _output, taskSupport, ...options } = shown;
    const key = this.#names.formatName(changes.name ?? name);
    const { callTimeoutMs } = this.settings;
    const timeoutMs = changes.timeoutMs ?? callTimeoutMs;
    return {
      listedKey: name,
      key,
      shown,
      add: () =>
        this.catalog.tools.add(
          {
            ...options,
            ...this.#buildCommon(changes),
            name: key,
            inputSchema: createListedSchema(inputSchema),
            ...(outputSchema && { outputSchema: createListedSchema(outputSchema) }),
            // The gateway follows the server's task itself, so its client does not need one.
            ...(taskSupport && taskSupport !== 'forbidden' && { task: 'optional' as const }),
            ...(timeoutMs !== undefined && { timeoutMs }),
          },
          this.#handlers.createTool(listed),
        ),
    };
  }

  /** No part of an unconfirmed definition reaches a model. */
  #offerUnconfirmed({ listed, changes }: SelectedEntry<ToolDefinition, GatewayToolChanges>): NewOffer {
    const key = this.#names.formatName(changes.name ?? listed.name);
    const description = `The server "${this.settings.name}" has changed this tool. Calls are rejected until an operator confirms the change.`;
    return {
      listedKey: listed.name,
      key,
      shown: { description },
      add: () =>
        this.catalog.tools.add(
          { ...this.#buildAccess(changes), name: key, description },
          this.#handlers.createRefusal(description),
        ),
    };
  }

  #offerResource({ listed, changes }: SelectedEntry<ResourceDefinition, GatewayEntryChanges>): NewOffer {
    const { uri, name } = listed;
    const shown = describeShownResource(listed);
    const key = this.#names.formatUri(uri);
    return {
      listedKey: uri,
      key,
      shown,
      add: () => {
        this.#names.assertSeparate(uri);
        this.catalog.resources.add(
          { ...shown, ...this.#buildCommon(changes), uri: key, name: changes.name ?? name },
          this.#handlers.createResource(),
        );
        this.#uris.set(normalizeUri(key), uri);
      },
    };
  }

  #offerTemplate(
    { listed, changes }: SelectedEntry<ResourceTemplateDefinition, GatewayEntryChanges>,
    hasCompletions: boolean,
  ): NewOffer {
    const { uriTemplate, name } = listed;
    const shown = describeShownResource(listed);
    const key = this.#names.formatUri(uriTemplate);
    return {
      listedKey: uriTemplate,
      key,
      shown: { ...shown, hasCompletions },
      add: () => {
        this.#names.assertSeparate(uriTemplate);
        this.catalog.resourceTemplates.add(
          { ...shown, ...this.#buildCommon(changes), uriTemplate: key, name: changes.name ?? name },
          this.#handlers.createResource(),
        );
        const template = new UriTemplate(key);
        this.#uriTemplates.set(key, template);
        if (!hasCompletions) return;
        const handler = this.#handlers.createCompletion({ resourceTemplate: uriTemplate });
        const access = this.#buildAccess(changes);
        for (const argument of template.variables) {
          this.catalog.completions.add({ resourceTemplate: key, argument, ...access }, handler);
        }
      },
    };
  }

  #offerPrompt(
    { listed, changes }: SelectedEntry<PromptDefinition, GatewayEntryChanges>,
    hasCompletions: boolean,
  ): NewOffer {
    const { name, arguments: given } = listed;
    const shown = { ...describeShown(listed), ...(given && { arguments: given }) };
    const key = this.#names.formatName(changes.name ?? name);
    return {
      listedKey: name,
      key,
      shown: { ...shown, hasCompletions },
      add: () => {
        this.catalog.prompts.add(
          { ...shown, ...this.#buildCommon(changes), name: key },
          this.#handlers.createPrompt(name),
        );
        if (!hasCompletions) return;
        const handler = this.#handlers.createCompletion({ prompt: name });
        const access = this.#buildAccess(changes);
        for (const { name: argument } of given ?? []) {
          this.catalog.completions.add({ prompt: key, argument, ...access }, handler);
        }
      },
    };
  }

  #removePrompt(key: string): void {
    const { arguments: given = [] } = this.catalog.prompts.find(key) ?? {};
    for (const { name } of given) this.catalog.completions.remove({ prompt: key, argument: name });
    this.catalog.prompts.remove(key);
  }

  #removeResource(key: string): void {
    this.#uris.delete(normalizeUri(key));
    this.catalog.resources.remove(key);
  }

  #removeTemplate(key: string): void {
    for (const argument of this.#uriTemplates.get(key)?.variables ?? []) {
      this.catalog.completions.remove({ resourceTemplate: key, argument });
    }
    this.#uriTemplates.delete(key);
    this.catalog.resourceTemplates.remove(key);
  }

  #buildAccess({ requiredScopes: own = [], isPublic }: Changed): AccessOptions {
    const { requiredScopes = [], isPublic: isServerPublic, concurrency } = this.settings;
    const scopes = [...requiredScopes, ...own];
    return {
      ...(scopes.length > 0 && { requiredScopes: scopes }),
      ...((isPublic ?? isServerPublic) && { isPublic: true }),
      concurrency,
    };
  }

  #buildCommon(changes: Changed): AccessOptions & Changed {
    const { name: _name, annotations: _annotations, ...rest } = changes as GatewayToolChanges;
    const { timeoutMs: _timeoutMs, requiredScopes: _scopes, isPublic: _isPublic, ...shown } = rest;
    const visible = changes.visible ?? this.settings.visible;
    const resultBytes = changes.resultBytes ?? this.settings.resultBytes;
    return {
      ...shown,
      ...this.#buildAccess(changes),
      ...(visible && { visible }),
      ...(resultBytes !== undefined && { resultBytes }),
    };
  }
}

import type { AuthError } from '../../../core/oauth/auth.error.js';
import type { AccessPolicy } from '../../auth/access/access-policy.js';
import { RequestAuth } from '../../context/request-auth.js';
import { limitTime } from '../../methods/time-limit.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Call, AuthorizationDecision, Step } from '../step.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { CatalogEntry } from '../../catalog/entries.js';
import type {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../catalog/registries.js';
import { findNamed } from '../../catalog/resource-access.js';
import { selectSequentially } from '../../catalog/visibility/select-sequentially.js';
import type { Visibility } from '../../catalog/visibility/visibility.js';
import type { VisibilityContext } from '../../settings/scoped-call.interface.js';

/**
 * Rejects missing tokens, and missing declared scopes unless the decision depends on visibility or arguments.
 */
export class AuthorizationStep implements Step {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly visibility: EntryVisibilityStep,
  ) {}

  get isWanted(): boolean {
    return this.policy.isRestricting;
  }

  watch(listener: () => void): void {
    this.policy.declared.watch(listener);
  }

  open(call: Call): void {
    const { request, arrival, context } = call;
    if (arrival.auth === undefined) {
      const { authentication, channel, peer } = arrival;
      const requester = { authentication, isLocal: channel.isPipe, revision: peer.revision };
      call.authorization = this.policy.authorize(request, requester);
      context.auth = call.authorization.auth;
      channel.restrictTo?.(context.auth);
    }
    if (context.auth instanceof RequestAuth) context.auth.belongTo(context);
  }

  refuse(call: Call): AuthError | undefined {
    const { authorization } = call;
    const refusal = authorization?.refusal;
    if (refusal === undefined || call.isAdmitted) return undefined;
    // A missing token is always rejected.
    if (refusal.code === 401) return refusal;
    return authorization?.dependsOnArguments === true || this.visibility.concerns(call) ? undefined : refusal;
  }

  authorize(calls: readonly Call[]): AuthorizationDecision {
    const refusal = findRefusalOfAll(this.policy, calls);
    if (refusal?.code === 401) return refusal;
    if (calls.some(({ authorization }) => authorization?.dependsOnArguments === true)) return 'later';
    const mayChange =
      refusal !== undefined || calls.some(({ arrival }) => arrival.authentication === undefined);
    return mayChange && calls.some((call) => this.visibility.concerns(call)) ? 'later' : refusal;
  }
}

/** Rejects missing declared scopes, once the entries' visibility is known. */
export class DeclaredScopesStep implements Step {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly visibility: EntryVisibilityStep,
  ) {}

  get isWanted(): boolean {
    return this.policy.isRestricting && this.visibility.isWanted;
  }

  authorize(calls: readonly Call[]): AuthorizationDecision {
    // One challenge also names the scopes that the arguments require.
    if (calls.some(({ authorization }) => authorization?.dependsOnArguments === true)) return 'later';
    return findRefusalOfAll(this.policy, calls);
  }
}

/** Lets the application compute the scopes that the arguments require, and rejects missing ones. */
export class ArgumentScopesStep implements Step {
  readonly asksApplication = true;

  constructor(
    private readonly policy: AccessPolicy,
    private readonly settings: Pick<ServerSettings, 'callTimeoutMs'>,
  ) {}

  get isWanted(): boolean {
    return this.policy.declared.hasDynamic;
  }

  admit({ authorization, context }: Call): Promise<void> | undefined {
    if (authorization?.dependsOnArguments !== true) return undefined;
    return limitTime(context, this.settings.callTimeoutMs, () => authorization.decideByArguments(context));
  }

  authorize(calls: readonly Call[]): AuthorizationDecision {
    return findRefusalOfAll(this.policy, calls);
  }
}

function findRefusalOfAll(policy: AccessPolicy, calls: readonly Call[]): AuthError | undefined {
  const authorizations = calls.map(({ authorization }) => authorization);
  return policy.findBatchRefusal(authorizations, calls[0]?.arrival.authentication);
}

/** Methods that address entries by key. */
const REACHING: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'resources/directory/read',
  'skills/get',
  'completion/complete',
  'subscriptions/listen',
]);

/** Finds the requested entries that are hidden from the caller. They do not exist for the request. */
export class EntryVisibilityStep implements Step {
  readonly asksApplication = true;

  constructor(
    private readonly visibility: Visibility,
    private readonly tools: ToolRegistry,
    readonly resources: ResourceRegistry,
    readonly templates: ResourceTemplateRegistry,
    private readonly prompts: PromptRegistry,

    private readonly settings: Pick<ServerSettings, 'sessions' | 'callTimeoutMs'>,
  ) {}

  get isWanted(): boolean {
    return this.visibility.isDeclared;
  }

  watch(listener: () => void): void {
    this.visibility.watch(listener);
  }

  /** Whether the existence of the requested entry depends on the caller. */
  concerns({ context, arrival: { hosting } }: Call): boolean {
    return hosting === undefined && this.visibility.isDeclared && REACHING.has(context.method);
  }

  admit(call: Call): Promise<void> | undefined {
    return this.concerns(call) ? this.#admit(call) : undefined;
  }

  async #admit({ context, authorization }: Call): Promise<void> {
    context.hidden = await limitTime(context, this.settings.callTimeoutMs, () => this.#find(context));
    if (context.hidden.size > 0) authorization?.decide(context.hidden);
  }

  /** Checks each entry once. */
  async #find(context: VisibilityContext): Promise<ReadonlySet<object>> {
    const search = new Search(this.visibility, context);
    const { method, params } = context;
    if (method === 'tools/call') await search.see(findBy(this.tools, params['name']));
    else if (method === 'prompts/get') await search.see(findBy(this.prompts, params['name']));
    else if (method === 'completion/complete') await this.#findCompleted(params['ref'], search);
    else await this.#findResources(listUris(params), search);
    return search.hidden;
  }

  async #findCompleted(reference: unknown, search: Search): Promise<void> {
    if (!isObject(reference)) return;
    await search.see(findBy(this.prompts, reference['name']));
    await search.see(findBy(this.templates, reference['uri']));
    await search.see(findBy(this.resources, reference['uri']));
  }

  async #findResources(uris: readonly string[], search: Search): Promise<void> {
    // The method rejects a longer list.
    if (uris.length > this.settings.sessions.maxSubscriptions) return;
    await selectSequentially(uris, Infinity, async (uri) => {
      await this.#findResource(uri, search);
      return false;
    });
  }

  /** Another entry may serve a hidden entry's URI. */
  async #findResource(uri: string, search: Search): Promise<void> {
    const find = (): CatalogEntry | undefined => findNamed(this, uri, search.hidden)?.entry;
    for (let entry = find(); entry !== undefined && !(await search.see(entry));) entry = find();
  }
}

/** The visibility that one request has determined so far. */
class Search {
  readonly hidden = new Set<object>();
  readonly #asked = new Map<object, boolean | Promise<boolean>>();
  readonly #until: number;

  constructor(
    private readonly visibility: Visibility,
    private readonly context: VisibilityContext,
  ) {
    this.#until = visibility.startDeadline();
  }

  /** Returns whether an entry is visible. A missing entry counts as visible. */
  async see(entry: CatalogEntry | undefined): Promise<boolean> {
    if (entry === undefined) return true;
    if (entry.usedBy !== undefined) return this.#seeThrough(entry, entry.usedBy());
    const asked =
      this.#asked.get(entry) ?? this.visibility.isVisible(entry, this.context, { until: this.#until });
    this.#asked.set(entry, asked);
    const isSeen = await asked;
    if (!isSeen) this.hidden.add(entry);
    return isSeen;
  }

  /** An entry that is reached through others is visible if any of them is. Its scopes depend on all visible ones. */
  async #seeThrough(entry: CatalogEntry, ways: readonly CatalogEntry[]): Promise<boolean> {
    const seen = await selectSequentially(ways, Infinity, (way) => this.see(way));
    if (seen.size === 0) this.hidden.add(entry);
    return seen.size > 0;
  }
}

function listUris({ uri, notifications }: { readonly [name: string]: unknown }): readonly string[] {
  const listed = isObject(notifications) ? notifications['resourceSubscriptions'] : [uri];
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

function findBy<Found>(registry: { find(key: string): Found | undefined }, key: unknown): Found | undefined {
  return typeof key === 'string' ? registry.find(key) : undefined;
}

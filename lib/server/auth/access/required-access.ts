import { mergeScopes } from '../../../core/oauth/scope.js';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { Access, CatalogEntry, CompletionEntry } from '../../catalog/entries.js';
import { selectLeastAccess, type AccessCaller } from '../../catalog/access-paths.js';
import type {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../catalog/registries.js';
import type { ResourceAccess } from '../../catalog/resource-access.js';
import {
  createCompletionScopeFinder,
  createPromptScopeFinder,
  createToolScopeFinder,
  findResourceScopes,
  type CompletionTarget,
  type ScopeFinder,
} from '../../catalog/scopes/required-scopes.js';
import { findExcess } from '../../sessions/subscription-limits.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** What a request requires. */
export interface Requirement {
  /** The scopes, all of which are required. */
  readonly scopes: readonly string[];
  /** Whether no token is required. */
  readonly isPublic: boolean;
  /** Functions that return additional scopes for the request's arguments; absent if there are none. */
  readonly demands?: readonly ScopeFinder[];
}

/** The access for entries that require a token but no scopes. */
const ANY_TOKEN: Pick<Access, 'scopes' | 'isPublic'> = { scopes: [], isPublic: false };

/** The access for methods that anonymous callers need to find and call public handlers. */
const OPEN: Requirement = { scopes: [], isPublic: true };

/** Methods that neither reveal nor change caller data. */
const OPEN_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'skills/list',
  'prompts/list',
  'logging/setLevel',
]);

/** The caller that sent a query, and the protocol version. */
interface AccessQuery extends AccessCaller {
  /** Whether the caller is anonymous. If so, the first entry that requires a token decides. */
  readonly isAnonymous?: boolean;
  readonly revision?: Revision | undefined;
}

/** Determines the access that requests require, from the handlers' declarations. */
export class RequiredAccess {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly prompts: PromptRegistry,
    private readonly completions: CompletionRegistry,
    private readonly resourceAccess: ResourceAccess,
    private readonly settings: ServerSettings,
  ) {}

  /**
   * Returns the access that a request requires. A missing entry requires a token.
   *
   * Methods missing from a revision are not looked up, because they are never called.
   */
  find(method: string, params: Params = {}, query: AccessQuery = {}): Requirement {
    const { revision, hidden } = query;
    switch (method) {
      case 'tools/call': {
        const tool = findBy(this.tools, params['name']);
        const access = readAccess(tool, hidden);
        return tool === undefined || access.dynamic === undefined
          ? access
          : demand(access, createToolScopeFinder(tool, access.dynamic, { params, settings: this.settings }));
      }
      case 'prompts/get': {
        const prompt = findBy(this.prompts, params['name']);
        const access = readAccess(prompt, hidden);
        return prompt === undefined || access.dynamic === undefined
          ? access
          : demand(access, createPromptScopeFinder(prompt, access.dynamic, params));
      }
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
      case 'resources/directory/read':
      case 'skills/get':
        return this.#findForResource(params['uri'], query);
      case 'completion/complete':
        return this.#findForCompletion(params, hidden);
      case 'subscriptions/listen':
        return revision?.methods.has(method) === false
          ? ANY_TOKEN
          : this.#findForSubscriptions(params, query);
      default:
        return OPEN_METHODS.has(method) ? OPEN : ANY_TOKEN;
    }
  }

  #findForResource(uri: unknown, query: AccessQuery): Requirement {
    if (typeof uri !== 'string') return ANY_TOKEN;
    if (!this.resourceAccess.isDynamic) return this.resourceAccess.find(uri, query) ?? ANY_TOKEN;
    const named = this.resourceAccess.findNamed(uri, query.hidden);
    const access = named && selectLeastAccess(named.entry, query);
    const dynamic = access?.dynamic;
    if (named === undefined || access === undefined || dynamic === undefined) return access ?? ANY_TOKEN;
    return demand(access, (context) => findResourceScopes(named, dynamic, context));
  }

  #findForSubscriptions({ notifications }: Params, query: AccessQuery): Requirement {
    const { isAnonymous = false } = query;
    const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    if (!Array.isArray(uris) || uris.length === 0) return OPEN;
    // The method refuses longer lists, so they need no lookup.
    if (findExcess(uris, this.settings.sessions) !== undefined) return ANY_TOKEN;
    if (!this.resourceAccess.isDeclared) return ANY_TOKEN;
    return findNeedOfAll(uris, isAnonymous, (uri: unknown) => this.#findForResource(uri, query));
  }

  /** A completion reveals something about its prompt or template, so it requires their scopes in addition to its own. */
  #findForCompletion(params: Params, hidden: AccessQuery['hidden']): Requirement {
    const { ref, argument } = params;
    if (!isObject(ref)) return ANY_TOKEN;
    const isPrompt = ref['type'] === 'ref/prompt';
    const key = isPrompt ? ref['name'] : ref['uri'];
    if (typeof key !== 'string') return ANY_TOKEN;
    const found: readonly (CompletionTarget['entry'] | undefined)[] = isPrompt
      ? [this.prompts.find(key)]
      : [this.templates.find(key), this.resources.find(key)];
    const entry = found.find((one) => one !== undefined && hidden?.has(one) !== true);
    // A missing entry has no completions.
    if (entry === undefined) return ANY_TOKEN;
    const name = isObject(argument) ? argument['name'] : undefined;
    const completion = typeof name === 'string' ? this.#findCompletion(isPrompt, key, name) : undefined;
    // Without a completion, the response does not depend on resolved arguments.
    if (typeof name !== 'string' || completion === undefined) return readAccess(entry);
    return completion.access === undefined
      ? findForPart(entry, params, name)
      : uniteNeeds([findForPart(entry, params, name), findForPart(completion, params, name)]);
  }

  #findCompletion(isOfPrompt: boolean, key: string, argument: string): CompletionEntry | undefined {
    return this.completions.findFor(
      isOfPrompt ? { prompt: key, argument } : { resourceTemplate: key, argument },
    );
  }
}

function findForPart(entry: CompletionTarget['entry'], params: Params, argument: string): Requirement {
  const access = readAccess(entry);
  return access.dynamic === undefined
    ? access
    : demand(access, createCompletionScopeFinder({ entry, argument }, access.dynamic, params));
}

function demand({ scopes, isPublic }: Access, tell: ScopeFinder): Requirement {
  return { scopes, isPublic, demands: [tell] };
}

function findBy<Found>(registry: { find(key: string): Found | undefined }, key: unknown): Found | undefined {
  return typeof key === 'string' ? registry.find(key) : undefined;
}

function readAccess(entry: CatalogEntry | undefined, hidden?: ReadonlySet<object>): Access {
  return (entry === undefined || hidden?.has(entry) === true ? undefined : entry.access) ?? ANY_TOKEN;
}

/**
 * Returns the combined access of several entries. For an anonymous caller, the first entry that is not public
 * decides.
 */
function findNeedOfAll<Thing>(
  things: readonly Thing[],
  isAnonymous: boolean,
  find: (thing: Thing) => Requirement,
): Requirement {
  const parts: Requirement[] = [];
  for (const thing of things) {
    const need = find(thing);
    // The request is refused in any case, so the other entries are not looked up.
    if (isAnonymous && !need.isPublic) return need;
    parts.push(need);
  }
  return uniteNeeds(parts);
}

/** Combines requirements. */
function uniteNeeds(parts: readonly Requirement[]): Requirement {
  const demands = parts.flatMap((part) => part.demands ?? []);
  return {
    scopes: mergeScopes(parts.flatMap(({ scopes }) => scopes)),
    isPublic: parts.every(({ isPublic }) => isPublic),
    ...(demands.length > 0 && { demands }),
  };
}

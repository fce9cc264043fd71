import { Inject, Injectable } from '@nestjs/common';
import { uniteScopes } from '../../../core/oauth/scope.js';
import { isObject, type Params } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { Access, CatalogueEntry } from '../../catalogue/entries.js';
import {
  CompletionRegistry,
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../catalogue/registries.js';
import { ResourceAccess } from '../../catalogue/resource-access.js';
import { findExcess } from '../../sessions/subscription-bounds.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** What needs a token, and no scope. */
const ANY_TOKEN: Access = { scopes: [], isPublic: false };

/** What a server with public handlers shows to everybody, so that these can be found and called. */
const OPEN: Access = { scopes: [], isPublic: true };

/** Methods that reveal and change nothing of a caller's. */
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

/** Who asks, and in what. */
interface Asker {
  /** Whether it is somebody without a token: of several things it is enough then to find one that needs some. */
  readonly isAnonymous?: boolean;
  readonly revision?: Revision | undefined;
  /** Entries that there are not, for whoever asks. @default none */
  readonly hidden?: ReadonlySet<object> | undefined;
}

/** Tells what a request needs, by what the handlers that it reaches declare. */
@Injectable()
export class RequiredAccess {
  constructor(
    private readonly tools: ToolRegistry,
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
    private readonly prompts: PromptRegistry,
    private readonly completions: CompletionRegistry,
    private readonly resourceAccess: ResourceAccess,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Gives what a request needs; one for what does not exist needs a token.
   *
   * What a revision does not have is not looked up for: it is never called.
   */
  find(method: string, params: Params = {}, { isAnonymous = false, revision, hidden }: Asker = {}): Access {
    switch (method) {
      case 'tools/call':
        return readAccess(findBy(this.tools, params['name']), hidden);
      case 'prompts/get':
        return readAccess(findBy(this.prompts, params['name']), hidden);
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
      case 'resources/directory/read':
      case 'skills/get':
        return this.#findForResource(params['uri'], hidden);
      case 'completion/complete':
        return this.#findForCompletion(params, hidden);
      case 'subscriptions/listen':
        return revision?.methods.has(method) === false
          ? ANY_TOKEN
          : this.#findForSubscriptions(params, { isAnonymous, hidden });
      default:
        return OPEN_METHODS.has(method) ? OPEN : ANY_TOKEN;
    }
  }

  #findForResource(uri: unknown, hidden: Asker['hidden']): Access {
    if (typeof uri !== 'string') return ANY_TOKEN;
    return this.resourceAccess.find(uri, hidden) ?? ANY_TOKEN;
  }

  #findForSubscriptions({ notifications }: Params, { isAnonymous = false, hidden }: Asker): Access {
    const uris = isObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    if (!Array.isArray(uris) || uris.length === 0) return OPEN;
    // The method refuses a longer list, so nothing is looked up for it.
    if (findExcess(uris, this.settings.sessions) !== undefined) return ANY_TOKEN;
    if (!this.resourceAccess.isDeclared) return ANY_TOKEN;
    return findAccessToAll(uris, isAnonymous, (uri: unknown) => this.#findForResource(uri, hidden));
  }

  /** A suggestion says something of what it completes, so it needs what that needs, besides its own. */
  #findForCompletion({ ref, argument }: Params, hidden: Asker['hidden']): Access {
    if (!isObject(ref)) return ANY_TOKEN;
    const isPrompt = ref['type'] === 'ref/prompt';
    const key = isPrompt ? ref['name'] : ref['uri'];
    if (typeof key !== 'string') return ANY_TOKEN;
    const found: readonly (CatalogueEntry | undefined)[] = isPrompt
      ? [this.prompts.find(key)]
      : [this.templates.find(key), this.resources.find(key)];
    const entry = found.find((one) => one !== undefined && hidden?.has(one) !== true);
    // There is nothing to complete of what there is not.
    if (entry === undefined) return ANY_TOKEN;
    const name = isObject(argument) ? argument['name'] : undefined;
    if (typeof name !== 'string') return readAccess(entry);
    const completion = this.completions.findFor(
      isPrompt ? { prompt: key, argument: name } : { resourceTemplate: key, argument: name },
    );
    return completion?.access === undefined
      ? readAccess(entry)
      : uniteAccess([readAccess(entry), completion.access]);
  }
}

function findBy<Found>(registry: { find(key: string): Found | undefined }, key: unknown): Found | undefined {
  return typeof key === 'string' ? registry.find(key) : undefined;
}

function readAccess(entry: CatalogueEntry | undefined, hidden?: ReadonlySet<object>): Access {
  return (entry === undefined || hidden?.has(entry) === true ? undefined : entry.access) ?? ANY_TOKEN;
}

/** Finds what is needed for several things together; of somebody without a token, what the first needs that is not public. */
export function findAccessToAll<Thing>(
  things: readonly Thing[],
  isAnonymous: boolean,
  find: (thing: Thing) => Access,
): Access {
  const parts: Access[] = [];
  for (const thing of things) {
    const access = find(thing);
    // Whoever is refused whatever the others need must not have them all looked up.
    if (isAnonymous && !access.isPublic) return access;
    parts.push(access);
  }
  return uniteAccess(parts);
}

/** Gives what is needed for several things together. */
function uniteAccess(parts: readonly Access[]): Access {
  return {
    scopes: uniteScopes(parts.flatMap(({ scopes }) => scopes)),
    isPublic: parts.every(({ isPublic }) => isPublic),
  };
}

import type {
  CacheableRequestOptions,
  Client,
  Prompt,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  Tool,
} from '@modelcontextprotocol/client';
import { declares } from './extensions.js';
import { listEvents, type EventType } from './events.js';
import { listSkills, type SkillEntry } from './skills.js';

/** The lists that the server returns to this caller. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly prompts: readonly Prompt[];
  readonly events: readonly EventType[];
  readonly skills: readonly SkillEntry[];
}

export const NOTHING: Offer = {
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  events: [],
  skills: [],
};

/** The lists, keyed by their entries' kind. */
export const OFFERED = Object.keys(NOTHING) as readonly (keyof Offer)[];

/** Lists are always fetched, and not read from the cache. */
const FRESH: CacheableRequestOptions = { cacheMode: 'refresh' };

/** Receives a list as soon as it has arrived. */
export type TakeList = <Kind extends keyof Offer>(kind: Kind, entries: Offer[Kind]) => void;

/**
 * Fetches all declared lists concurrently.
 *
 * @returns the errors of rejected lists, which count as empty
 */
export async function listOffer(
  client: Client,
  capabilities: ServerCapabilities,
  take: TakeList,
): Promise<readonly unknown[]> {
  const refusals: unknown[] = [];
  const list = async <Kind extends keyof Offer>(
    kind: Kind,
    isDeclared: unknown,
    ask: () => Promise<Offer[Kind]>,
  ): Promise<void> => {
    try {
      take(kind, isDeclared === undefined || isDeclared === false ? NOTHING[kind] : await ask());
    } catch (error) {
      refusals.push(error);
      take(kind, NOTHING[kind]);
    }
  };
  const { tools, resources, prompts } = capabilities;
  await Promise.all([
    list('tools', tools, async () => (await client.listTools(undefined, FRESH)).tools),
    list('resources', resources, async () => (await client.listResources(undefined, FRESH)).resources),
    list(
      'templates',
      resources,
      async () => (await client.listResourceTemplates(undefined, FRESH)).resourceTemplates,
    ),
    list('prompts', prompts, async () => (await client.listPrompts(undefined, FRESH)).prompts),
    list('events', declares(capabilities, 'events'), () => listEvents(client)),
    list('skills', declares(capabilities, 'skills'), () => listSkills(client)),
  ]);
  return refusals;
}

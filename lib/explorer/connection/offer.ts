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

/** What the server shows to this caller. */
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

/** What could be listed, and why something could not. */
export interface Listing {
  readonly offer: Offer;
  /** The reasons of the lists that were refused. */
  readonly refusals: readonly unknown[];
}

/** Whoever lists again wants to see what is there now. */
const FRESH: CacheableRequestOptions = { cacheMode: 'refresh' };

/** Lists all that a server declares; what is refused does not keep back the rest. */
export async function listOffer(client: Client, capabilities: ServerCapabilities): Promise<Listing> {
  const refusals: unknown[] = [];
  const list = async <Item>(isDeclared: unknown, ask: () => Promise<readonly Item[]>) => {
    if (isDeclared === undefined || isDeclared === false) return [];
    try {
      return await ask();
    } catch (error) {
      refusals.push(error);
      return [];
    }
  };
  const [tools, resources, templates, prompts, events, skills] = await Promise.all([
    list(capabilities.tools, async () => (await client.listTools(undefined, FRESH)).tools),
    list(capabilities.resources, async () => (await client.listResources(undefined, FRESH)).resources),
    list(
      capabilities.resources,
      async () => (await client.listResourceTemplates(undefined, FRESH)).resourceTemplates,
    ),
    list(capabilities.prompts, async () => (await client.listPrompts(undefined, FRESH)).prompts),
    list(declares(capabilities, 'events'), () => listEvents(client)),
    list(declares(capabilities, 'skills'), () => listSkills(client)),
  ]);
  return { offer: { tools, resources, templates, prompts, events, skills }, refusals };
}

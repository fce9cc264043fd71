import type {
  Client,
  Prompt,
  RequestOptions,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  Tool,
} from '@modelcontextprotocol/client';

/** The items in each of a server's lists. */
export interface ListedItems {
  readonly tools: Tool;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplateType;
  readonly prompts: Prompt;
}

export type ListName = keyof ListedItems;

/** Lists that share one notification about changes. */
export type ChangeFamily = 'tools' | 'resources' | 'prompts';

interface FetchOptions extends RequestOptions {
  readonly cacheMode: 'refresh';
}

interface ListDescription<Item> {
  readonly family: ChangeFamily;
  fetch(
    client: Client,
    options: FetchOptions,
  ): Promise<{ readonly items: readonly Item[]; readonly result: object }>;
}

/** How to fetch each list. */
export const LISTS: { readonly [Name in ListName]: ListDescription<ListedItems[Name]> } = {
  tools: {
    family: 'tools',
    fetch: async (client, options) => {
      const result = await client.listTools(undefined, options);
      return { items: result.tools, result };
    },
  },
  resources: {
    family: 'resources',
    fetch: async (client, options) => {
      const result = await client.listResources(undefined, options);
      return { items: result.resources, result };
    },
  },
  resourceTemplates: {
    family: 'resources',
    fetch: async (client, options) => {
      const result = await client.listResourceTemplates(undefined, options);
      return { items: result.resourceTemplates, result };
    },
  },
  prompts: {
    family: 'prompts',
    fetch: async (client, options) => {
      const result = await client.listPrompts(undefined, options);
      return { items: result.prompts, result };
    },
  },
};

/** Finds the family that a notification refers to. */
export function findChangedFamily(method: string): ChangeFamily | undefined {
  return CHANGES.get(method);
}

const CHANGES: ReadonlyMap<string, ChangeFamily> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

/** Returns whether a server declares `listChanged` for a family. */
export function declaresListChanged(
  capabilities: ServerCapabilities | undefined,
  family: ChangeFamily,
): boolean {
  return capabilities?.[family]?.listChanged === true;
}

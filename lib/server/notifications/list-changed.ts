import type { ServerCapabilities } from '../../core/protocol/capabilities.js';

/** An area of the catalogue that has a list. */
export type Area = 'tools' | 'prompts' | 'resources';

/** How the change of one list is told. */
export interface ListChangedFamily {
  readonly method: string;
  /** The member of a `subscriptions/listen` filter that asks for it. */
  readonly filter: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged';
  /** Whether a server that declared this may send it. */
  readonly isDeclared: (capabilities: ServerCapabilities) => boolean;
}

/** The three list-changed notifications (MCP server/tools, server/prompts, server/resources). */
export const LIST_CHANGED: Readonly<Record<Area, ListChangedFamily>> = {
  tools: {
    method: 'notifications/tools/list_changed',
    filter: 'toolsListChanged',
    isDeclared: (capabilities) => capabilities.tools?.listChanged === true,
  },
  prompts: {
    method: 'notifications/prompts/list_changed',
    filter: 'promptsListChanged',
    isDeclared: (capabilities) => capabilities.prompts?.listChanged === true,
  },
  resources: {
    method: 'notifications/resources/list_changed',
    filter: 'resourcesListChanged',
    isDeclared: (capabilities) => capabilities.resources?.listChanged === true,
  },
};

/** Every area, in the order in which the protocol names them. */
export const AREAS: readonly Area[] = ['tools', 'prompts', 'resources'];

import type { ServerCapabilities } from '../../core/protocol/capabilities.js';

/** An area of the catalog that has a list, or the sources of events, which an extension lists. */
export type Area = 'tools' | 'prompts' | 'resources' | 'events';

/** How the change of one list is told. */
export interface ListChangedFamily {
  readonly method: string;
  /** The member of a `subscriptions/listen` filter that asks for it. */
  readonly filter: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged' | 'eventsListChanged';
  /** Whether a server that declared this may send it. */
  readonly isDeclared: (capabilities: ServerCapabilities) => boolean;
}

/** The list-changed notifications (MCP server/tools, server/prompts, server/resources; the working group's sketch of events). */
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
  events: {
    method: 'notifications/events/list_changed',
    filter: 'eventsListChanged',
    isDeclared: (capabilities) => capabilities.events?.listChanged === true,
  },
};

/** Every area, in the order in which the protocol names them. */
export const AREAS: readonly Area[] = ['tools', 'prompts', 'resources', 'events'];

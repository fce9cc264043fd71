import type { ServerCapabilities } from '../../core/protocol/capabilities.js';
import { buildLogEntry, type LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { RevisionMembers } from '../../core/protocol/revisions.js';
import { serializeInstances } from '../schema/dto/serialize-instances.js';

/** A notification that something changed. */
interface Change {
  readonly method: string;
  /** `list`: the filter property is a boolean. `resource`: it is an array of URIs. */
  readonly of: 'list' | 'resource';
  /** Whether a server that declared these capabilities may send it. */
  readonly isDeclared: (capabilities: ServerCapabilities) => boolean;
  /**
   * The feature that a session's revision must define. @default none, because every revision defines the notification
   */
  readonly defined?: RevisionFlag;
}

/** A property of {@link RevisionMembers} that a revision has or lacks. */
export type RevisionFlag = {
  [Name in keyof RevisionMembers]: RevisionMembers[Name] extends boolean ? Name : never;
}[keyof RevisionMembers];

/** The rows of {@link CHANGES}. The filter of `subscriptions/listen` and its listeners are derived from them. */
const ROWS = {
  toolsListChanged: describeList('tools'),
  promptsListChanged: describeList('prompts'),
  resourcesListChanged: describeList('resources'),
  // From the working group's sketch of events.
  eventsListChanged: describeList('events'),
  resourceSubscriptions: {
    method: 'notifications/resources/updated',
    of: 'resource',
    isDeclared: (capabilities) => capabilities.resources?.subscribe === true,
  },
} as const satisfies Readonly<Record<string, Change>>;

function describeList(capability: 'tools' | 'prompts' | 'resources' | 'events') {
  const isDeclared = (capabilities: ServerCapabilities) => capabilities[capability]?.listChanged === true;
  return { method: `notifications/${capability}/list_changed`, of: 'list', isDeclared } as const;
}

type FilterOf<Kind extends Change['of']> = {
  [Name in keyof typeof ROWS]: (typeof ROWS)[Name]['of'] extends Kind ? Name : never;
}[keyof typeof ROWS];

/** The filter property for a list's changes. */
export type ListFilter = FilterOf<'list'>;

/** The filter property for changes to single resources. */
export type ResourceFilter = FilterOf<'resource'>;

/** The filter in a `subscriptions/listen` request (MCP 2026-07-28 `SubscriptionFilter`). */
export type SubscriptionFilter = { readonly [Name in ListFilter]?: boolean } & {
  readonly [Name in ResourceFilter]?: readonly string[];
};

/** The change notifications, each under the `subscriptions/listen` filter property that requests it. */
export const CHANGES: Readonly<Record<ListFilter | ResourceFilter, Change>> = ROWS;

/** In the specification's order. */
export const LIST_FILTERS = selectFilters('list') as readonly ListFilter[];
export const RESOURCE_FILTERS = selectFilters('resource') as readonly ResourceFilter[];

function selectFilters(kind: Change['of']): readonly string[] {
  return Object.entries(ROWS).flatMap(([name, row]) => (row.of === kind ? [name] : []));
}

/** Builds the notification that a list changed. */
export function buildListChanged(filter: ListFilter): OutboundNotification {
  return new OutboundNotification(CHANGES[filter].method);
}

/** Builds the notification that a resource changed. */
export function buildUpdate(filter: ResourceFilter, uri: string): OutboundNotification {
  return new OutboundNotification(CHANGES[filter].method, { uri });
}

/** Builds a log notification. Class instances in its data become plain objects only when it is serialized for a recipient. */
export function buildLogMessage(level: LogLevel, data: unknown, logger?: string): OutboundNotification {
  return new OutboundNotification('notifications/message', {
    ...buildLogEntry(level, data, logger),
    get data() {
      return serializeInstances(data ?? null);
    },
  });
}

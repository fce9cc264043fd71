import { specTypeSchemas, type SpecTypeName } from '@modelcontextprotocol/client';
import type { JsonObject, Message } from './clients/message.js';

/** What the published schema calls the result of each method. */
const RESULT_TYPES: Readonly<Record<string, SpecTypeName>> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};

const NOTIFICATION_TYPES: Readonly<Record<string, SpecTypeName>> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
};

const CACHEABLE = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

/** Members and the revisions that define them: the first, and the last where a later one took it back. */
type MemberHistory = readonly (readonly [member: string, since: string, until?: string])[];

const RESULT_MEMBERS: MemberHistory = [
  ['resultType', '2026-07-28'],
  ['ttlMs', '2026-07-28'],
  ['cacheScope', '2026-07-28'],
  ['structuredContent', '2025-06-18'],
];
const ENTRY_MEMBERS: MemberHistory = [
  ['title', '2025-06-18'],
  ['outputSchema', '2025-06-18'],
  ['_meta', '2025-06-18'],
  ['icons', '2025-11-25'],
  ['execution', '2025-11-25', '2025-11-25'],
];
const IMPLEMENTATION_MEMBERS: MemberHistory = [
  ['title', '2025-06-18'],
  ['icons', '2025-11-25'],
  ['description', '2025-11-25'],
  ['websiteUrl', '2025-11-25'],
];
const CAPABILITY_MEMBERS: MemberHistory = [
  ['completions', '2025-03-26'],
  ['tasks', '2025-11-25', '2025-11-25'],
];

/** Which revision a message belongs to, and for a response which method it answers. */
interface Origin {
  readonly version: string;
  readonly method?: string;
}

/**
 * Asserts that a message of the server is what its revision publishes: by the official client's schemas, and by what the
 * revision requires or does not define yet, which these schemas leave open.
 *
 * @throws Error that lists every difference
 */
export function assertMessage(message: Message, origin: Origin): void {
  const problems = findProblems(message, origin);
  if (problems.length === 0) return;
  throw new Error(
    `Not a message of ${origin.version}: ${problems.join('; ')}\n${JSON.stringify(message, null, 2)}`,
  );
}

function findProblems(message: Message, { version, method }: Origin): string[] {
  const envelope = validate('JSONRPCMessage', message);
  if (message.method !== undefined) {
    const type = NOTIFICATION_TYPES[message.method];
    return [
      ...envelope,
      ...(type ? validate(type, message) : [`"${message.method}" is no published notification`]),
    ];
  }
  if (message.result === undefined) return envelope;
  if (method === undefined) throw new Error('The method that a response answers has to be given');
  return [...envelope, ...findResultProblems(message.result, { version, method })];
}

function findResultProblems(result: JsonObject, { version, method }: Required<Origin>): string[] {
  const type = RESULT_TYPES[method];
  const entries = ['tools', 'resources', 'resourceTemplates', 'prompts'].flatMap(
    (list) => (result[list] ?? []) as JsonObject[],
  );
  return [
    ...(type ? validate(type, result) : [`"${method}" is no published method`]),
    ...findUndefinedMembers(result, RESULT_MEMBERS, version),
    ...entries.flatMap((entry) => findUndefinedMembers(entry, ENTRY_MEMBERS, version)),
    ...findUndefinedMembers(result['serverInfo'], IMPLEMENTATION_MEMBERS, version),
    ...findUndefinedMembers(result['capabilities'], CAPABILITY_MEMBERS, version),
    ...findMissingMembers(result, { version, method }),
  ];
}

function findUndefinedMembers(value: unknown, members: MemberHistory, version: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return members
    .filter(([member, since, until = '9']) => member in value && (version < since || version > until))
    .map(([member]) => `"${member}" is not defined`);
}

function findMissingMembers(result: JsonObject, { version, method }: Required<Origin>): string[] {
  const problems: string[] = [];
  if (method === 'tools/call' && !Array.isArray(result['content'])) problems.push('"content" is no array');
  if (version < '2026-07-28') return problems;
  if (typeof result['resultType'] !== 'string') problems.push('"resultType" is no string');
  if (!CACHEABLE.includes(method)) return problems;
  const { ttlMs, cacheScope } = result;
  if (!Number.isInteger(ttlMs) || (ttlMs as number) < 0) problems.push('"ttlMs" is no duration');
  if (cacheScope !== 'public' && cacheScope !== 'private') problems.push('"cacheScope" is not set');
  return problems;
}

function validate(type: SpecTypeName, value: unknown): string[] {
  const outcome = specTypeSchemas[type]['~standard'].validate(value);
  if (outcome instanceof Promise) throw new Error(`The schema "${type}" is expected to be synchronous`);
  return (outcome.issues ?? []).map(
    ({ message, path }) => `${type} ${JSON.stringify(path ?? [])} ${message}`,
  );
}

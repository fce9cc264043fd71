import { declaresExtension } from '../../core/protocol/capabilities.js';
import { isObject, isStringArray } from '../../core/protocol/json-rpc.js';
import { isAtLeast, isLogLevel, type LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { Topic } from '../cluster/cluster-bus.js';
import { isMeant, type CallerTerms, type KnownCaller } from '../sessions/callers/caller-filter.js';
import type { Session } from '../sessions/session.js';
import { SessionField } from '../sessions/shared/session-record.js';
import { CHANGES, type ListFilter, type ResourceFilter, type RevisionFlag } from './change-notifications.js';

/** The recipients for a notification that does not belong to a request. */
export type Audience =
  /** Clients that were promised a list's changes. */
  | ({ readonly filter: ListFilter } & Restriction)
  | ResourceAudience
  /** Clients that requested log entries at a level. */
  | ({ readonly level: LogLevel } & Restriction)
  /** Clients that declared an extension, or one of their sessions, given by its key. */
  | { readonly extension: string; readonly session?: string }
  | SessionAudience;

/** Subscribers of a resource. */
export type ResourceAudience = { readonly filter: ResourceFilter; readonly uri: string } & Restriction;

/** One session, given by its key. */
export interface SessionAudience {
  readonly session: string;
  /** The feature that its revision must define. @default nothing */
  readonly defined?: RevisionFlag;
  /** The scopes that the reader's token must have. @default nothing */
  readonly scopes?: readonly string[];
}

interface Restriction {
  /** @default the whole audience */
  readonly only?: Recipients;
}

/** The part of an audience that receives the notification. */
export interface Recipients {
  /** A session's key. @default any */
  readonly session?: string;
  /** Clients of a caller. @default any */
  readonly caller?: CallerTerms;
}

/** A notification that does not belong to a request, with its audience. */
export interface PublishedNotification {
  readonly to: Audience;
  readonly notification: Pick<OutboundNotification, 'method' | 'params'>;
}

/** All notifications that do not belong to a request, for every process's streams. */
export const NOTIFICATIONS = new Topic<PublishedNotification>('announcement', isPublishedNotification);

type Check = (value: unknown) => boolean;
type PropertyOf<Form> = Form extends unknown ? keyof Form : never;

const isCaller = checkProperties<keyof CallerTerms>({
  identities: isStringArray,
  subject: isString,
  issuer: isString,
  clientId: isString,
});

const isRecipients = checkProperties<keyof Recipients>({ session: isString, caller: isCaller });

const hasAudienceProperties = checkProperties<PropertyOf<Audience>>({
  filter: (value) => isString(value) && Object.hasOwn(CHANGES, value),
  uri: isString,
  level: isLogLevel,
  extension: isString,
  session: isString,
  defined: isString,
  scopes: isStringArray,
  only: isRecipients,
});

/** The properties that select an audience; all others restrict it. */
const SELECTORS = ['filter', 'level', 'extension', 'session'] as const satisfies PropertyOf<Audience>[];

/** Whether this release understands a notification that another process published. */
function isPublishedNotification({ to, notification }: { to?: unknown; notification?: unknown }): boolean {
  if (!isObject(to) || !isObject(notification)) return false;
  const { method, params } = notification;
  return isString(method) && (params === undefined || isObject(params)) && isAudience(to);
}

function isAudience(to: Readonly<Record<string, unknown>>): boolean {
  if (!hasAudienceProperties(to) || SELECTORS.every((name) => to[name] === undefined)) return false;
  const { filter, uri } = to as { filter?: keyof typeof CHANGES; uri?: string };
  return (filter !== undefined && CHANGES[filter].of === 'resource') === (uri !== undefined);
}

/**
 * Returns a check that rejects unknown properties, because one from a later release may restrict the recipients.
 */
function checkProperties<Name extends string>(checks: Readonly<Record<Name, Check>>): Check {
  const known = new Map(Object.entries<Check>(checks));
  return (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, property]) => known.has(name) && (property === undefined || known.get(name)?.(property)),
    );
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

const notifications = new WeakMap<PublishedNotification, OutboundNotification>();

/** Returns a published notification, which is serialized once for all streams of this process. */
export function readNotification(published: PublishedNotification): OutboundNotification {
  const { notification } = published;
  // It was published by this process.
  if (notification instanceof OutboundNotification) return notification;
  const known = notifications.get(published);
  if (known !== undefined) return known;
  const read = new OutboundNotification(notification.method, notification.params);
  notifications.set(published, read);
  return read;
}

/** Returns whether a session is in the audience. It does not check scopes. */
export function isInAudience(session: Session, to: Audience): boolean {
  if ('only' in to && !isRecipient(session, to.only)) return false;
  if ('filter' in to) {
    const { isDeclared, defined } = CHANGES[to.filter];
    if (!definesFlag(session, defined)) return false;
    return 'uri' in to ? session.subscriptions.has(to.uri) : isDeclared(session.declared);
  }
  if ('level' in to) return session.logLevel !== undefined && isAtLeast(to.level, session.logLevel);
  if (to.session !== undefined && session.key !== to.session) return false;
  if ('extension' in to) return declaresExtension(session.client.capabilities, to.extension);
  return definesFlag(session, to.defined);
}

/** Returns whether a session's revision defines the feature that a notification requires. */
export function definesFlag({ revision }: Session, flag: RevisionFlag | undefined): boolean {
  return flag === undefined || revision.defines[flag];
}

/** Returns whether a session or listener is among the recipients. Listeners match only a restriction to a caller. */
export function isRecipient(
  client: KnownCaller & { readonly key?: string },
  only: Recipients | undefined,
): boolean {
  if (only === undefined) return true;
  if (only.session !== undefined && client.key !== only.session) return false;
  return only.caller === undefined || isMeant(only.caller, client);
}

/**
 * Finds the process that handled the client's request for such notifications. That process applied the request to its
 * messages immediately and in order. Returns `undefined` if it is unknown. For resources it is always unknown,
 * because checking their visibility may be asynchronous.
 */
export function findJudgingProcess({ shared }: Session, to: Audience): string | undefined {
  return 'level' in to ? shared?.versions.findProcess(SessionField.level) : undefined;
}

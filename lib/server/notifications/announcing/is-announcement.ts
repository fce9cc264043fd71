import { isObject } from '../../../core/protocol/json-rpc.js';
import { isLogLevel } from '../../../core/protocol/log-level.js';
import { LIST_CHANGED } from '../list-changed.js';

const NAMES = ['uri', 'extension', 'session', 'defined'];
const CALLER_NAMES = ['subject', 'issuer', 'clientId'];

/** Tells whether what another process published is an announcement that this release understands. */
export function isAnnouncement({
  to,
  notification,
}: {
  readonly to?: unknown;
  readonly notification?: unknown;
}): boolean {
  if (!isObject(to) || !isObject(notification)) return false;
  const { method, params } = notification;
  return typeof method === 'string' && isOptional(params, isObject) && isAudience(to);
}

function isAudience(to: { readonly [name: string]: unknown }): boolean {
  const { area, level, only, scopes } = to;
  return (
    Object.keys(to).length > 0 &&
    NAMES.every((name) => isOptional(to[name], isText)) &&
    isOptional(area, (value) => isText(value) && Object.hasOwn(LIST_CHANGED, value)) &&
    isOptional(level, isLogLevel) &&
    isOptional(scopes, isTexts) &&
    isOptional(only, isRecipients)
  );
}

function isRecipients(only: unknown): boolean {
  return isObject(only) && isOptional(only['session'], isText) && isOptional(only['caller'], isCaller);
}

function isCaller(caller: unknown): boolean {
  if (!isObject(caller)) return false;
  return (
    isOptional(caller['identities'], isTexts) &&
    CALLER_NAMES.every((name) => isOptional(caller[name], isText))
  );
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

import { ErrorCode } from './error-codes.js';
import { isObject } from './json-rpc.js';

/** A page that the user must open before a request can be served (MCP 2025-11-25 client/elicitation). */
export interface RequiredElicitation {
  readonly mode: 'url';
  /** The id that `notifications/elicitation/complete` names when the user has finished. */
  readonly elicitationId: string;
  readonly url: string;
  /** Explains to the user where the page leads and why. */
  readonly message: string;
}

/** Reads the pages that an error requires, or returns `undefined` for other errors. */
export function findRequiredElicitations(error: unknown): readonly RequiredElicitation[] | undefined {
  if (!isObject(error) || error['code'] !== ErrorCode.UrlElicitationRequired || !isObject(error['data']))
    return undefined;
  const { elicitations } = error['data'];
  return Array.isArray(elicitations) ? elicitations.filter(isRequiredElicitation) : undefined;
}

function isRequiredElicitation(value: unknown): value is RequiredElicitation {
  if (!isObject(value)) return false;
  const { mode, elicitationId, url, message } = value;
  const areStrings = [elicitationId, url, message].every((member) => typeof member === 'string');
  return mode === 'url' && areStrings && URL.canParse(url as string);
}

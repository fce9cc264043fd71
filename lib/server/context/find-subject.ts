import { redactCredentials } from '../../core/log/redact-credentials.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** What callers choose is cut at so many characters. */
const LONGEST = 2048;

/**
 * Finds what a request is about: the tool, prompt or event source by its name, the resource or template by its URI,
 * without its credentials.
 */
export function findSubject(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const subject = params['name'] ?? params['uri'] ?? findReference(params['ref']);
  return typeof subject === 'string' ? redactCredentials(subject, LONGEST) : undefined;
}

/** The subject of a completion. */
function findReference(reference: unknown): unknown {
  return isObject(reference) ? (reference['name'] ?? reference['uri']) : undefined;
}

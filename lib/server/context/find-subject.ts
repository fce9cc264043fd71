import { redactCredentials } from '../../core/log/escape-text.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** Longer subjects, which callers choose, are truncated. */
const LONGEST = 2048;

/**
 * Finds the subject of a request: the name of the tool, prompt or event source, or the URI of the resource or template,
 * without credentials.
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

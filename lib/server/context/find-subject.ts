import { redactCredentials } from '../../core/log/escape-text.js';
import { isObject } from '../../core/protocol/json-rpc.js';

/** Longer subjects, which callers control, are truncated. */
const LONGEST = 2048;

/**
 * Finds a request's subject: the tool name, prompt or event source, or resource or template URI, without credentials.
 */
export function findSubject(params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const subject = params['name'] ?? params['uri'] ?? findReference(params['ref']);
  return typeof subject === 'string' ? redactCredentials(subject, LONGEST) : undefined;
}

/** A completion's subject. */
function findReference(reference: unknown): unknown {
  return isObject(reference) ? (reference['name'] ?? reference['uri']) : undefined;
}

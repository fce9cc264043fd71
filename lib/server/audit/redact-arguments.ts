import { isObject } from '../../core/protocol/json-rpc.js';
import { isPromiseLike } from '../../core/waiting/is-promise-like.js';
import type { AuditedArguments, AuditOptions } from '../settings/audit-options.interface.js';

/** Returns what an event shows of arguments. A redactor that fails must neither fail the call nor let through what it was to hide. */
export function redactArguments(
  redact: NonNullable<AuditOptions['redact']>,
  value: unknown,
  audited: AuditedArguments,
): unknown {
  if (value === undefined) return undefined;
  try {
    // A redactor may take away from what it is given, which the call still needs.
    const shown = redact(structuredClone(value), audited);
    if (!isPromiseLike(shown)) return shown;
    // Events do not wait for a promise, and nobody would see its rejection.
    Promise.resolve(shown).catch(() => undefined);
    return undefined;
  } catch {
    return undefined;
  }
}

/** Finds the arguments of a method. For tools and prompts these are `arguments`, for other methods all parameters except `_meta`. */
export function findArguments(method: string, params: unknown): unknown {
  if (!isObject(params)) return undefined;
  if (method === 'tools/call' || method === 'prompts/get') return params['arguments'];
  const { _meta, ...rest } = params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

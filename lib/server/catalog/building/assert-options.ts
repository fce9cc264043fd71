import type { CacheHint } from '../../../core/protocol/results.js';
import { LONGEST_TIMER_MS } from '../../../core/checks/longest-timer.js';
import type { ToolOptions } from '../../settings/handler-options.interface.js';
import { CatalogError } from '../catalog.error.js';

/** Makes sure of a text that something is found by. */
export function assertText(option: string, value: unknown): asserts value is string {
  if (typeof value === 'string' && value !== '') return;
  throw CatalogError.invalid(`The option "${option}" is ${show(value)}: give a text that is not empty`);
}

/** Makes sure of the absolute URI of a resource. */
export function assertUri(uri: unknown): asserts uri is string {
  // No URI has one (RFC 3986 §2), though URL takes it.
  if (typeof uri === 'string' && uri.includes('{')) {
    throw CatalogError.invalid(`The option "uri" is ${show(uri)} and has a "{": use @ResourceTemplate()`);
  }
  if (typeof uri === 'string' && URL.canParse(uri) && !/\s/.test(uri)) return;
  throw CatalogError.invalid(
    `The option "uri" is ${show(uri)}: give an absolute URI, for example "desk://open"`,
  );
}

/** Checks the variables of a template. Its handler gets them together with the URI. */
export function assertVariables(variables: readonly string[]): void {
  if (!variables.includes('uri')) return;
  throw CatalogError.invalid(
    'The option "uriTemplate" has a variable "uri", but handlers get the whole URI under this name: give the variable another name',
  );
}

/** Makes sure of a duration in milliseconds. */
export function assertTimeout(timeoutMs: unknown): void {
  if (timeoutMs === undefined) return;
  if (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS) return;
  throw CatalogError.invalid(
    `The option "timeoutMs" is ${show(timeoutMs)}: give milliseconds above 0 and up to ${LONGEST_TIMER_MS}`,
  );
}

/** Makes sure of how a tool runs as a task. */
export function assertTaskOptions({ task, ttlMs, pollIntervalMs }: ToolOptions): void {
  if (task !== undefined && !['optional', 'required', 'forbidden'].includes(task)) {
    throw CatalogError.invalid(
      `The option "task" is ${show(task)}: give "optional", "required" or "forbidden"`,
    );
  }
  for (const [option, value] of Object.entries({ ttlMs, pollIntervalMs })) {
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw CatalogError.invalid(
      `The option "${option}" is ${show(value)}: give a whole number of milliseconds above 0`,
    );
  }
}

/** Makes sure of a size in bytes. */
export function assertSize(size: unknown): void {
  if (size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0)) return;
  throw CatalogError.invalid(`The option "size" is ${show(size)}: give a whole number of bytes`);
}

/** Makes sure of a cache hint. */
export function assertCacheHint(cache: CacheHint | undefined): void {
  if (cache === undefined) return;
  const { ttlMs, scope }: { ttlMs: unknown; scope: unknown } = cache;
  const isKnownScope = scope === 'public' || scope === 'private';
  if (Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 && isKnownScope) return;
  throw CatalogError.invalid(
    `The option "cache" is ${JSON.stringify(cache)}: give "ttlMs" as whole milliseconds from 0 and "scope" as "public" or "private"`,
  );
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' || value === null ? String(value) : `of type "${typeof value}"`;
}

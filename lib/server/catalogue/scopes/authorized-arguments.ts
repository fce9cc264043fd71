import { uniteScopes } from '../../../core/oauth/scope.js';
import type { RequestContext } from '../../context/request-context.js';
import { findParsed } from '../arguments/parsed-arguments.js';
import type { Access, CatalogueEntry } from '../entries.js';
import type { TellScopes } from './demand.js';
import type { DynamicScopes } from './dynamic-scopes.js';

/** The access of entries whose scopes depend on the call. */
type DynamicAccess = Access & { readonly dynamic: DynamicScopes };

/** What is called. */
interface ScopedEntry {
  readonly entry: CatalogueEntry;
  readonly access: DynamicAccess;
  /** Parses the arguments, keeps them and tells their scopes. */
  readonly tell: TellScopes;
}

export function isDynamic(access: Access | undefined): access is DynamicAccess {
  return access?.dynamic !== undefined;
}

/**
 * Returns the arguments of a call from which its scopes were determined. If there are none, as in another process that
 * takes over a task, they are parsed again. The schema may then give other values, so these need permission too.
 *
 * @throws {AuthError} if the caller lacks a scope that they take
 */
export async function getAuthorized(
  context: RequestContext,
  { entry, access, tell }: ScopedEntry,
): Promise<unknown> {
  const authorized = findParsed(context, entry);
  if (authorized !== undefined) return authorized.value;
  const scopes = uniteScopes(access.scopes, await tell(context));
  if (scopes.length > 0) context.auth.requireScope(...scopes);
  return findParsed(context, entry)?.value;
}

import { createHash } from 'node:crypto';
import { findStrangerAddress } from '../context/caller-address.js';
import type { StateContext } from '../context/state-source.interface.js';
import type { MemoryOwner } from '../memory/memory-owner.interface.js';

/** Where the values of one caller are, or those behind one handle. */
export interface StatePlace {
  /** Names it among all, without telling a token, a session or a handle. */
  readonly key: string;
  /** Who has it kept. */
  readonly owner: MemoryOwner;
  /** Whether it is the only one of its kind that its owner has. */
  readonly isOnly: boolean;
}

/**
 * Finds where the values of a request's caller are. Returns `undefined` if it is not known who calls.
 *
 * @param process names this process, among those that share state
 */
export function findCallerPlace(context: StateContext, process: string): StatePlace | undefined {
  const { identity, session, http, hosting } = context;
  const owner = findOwner(context);
  if (identity !== undefined) return { key: formatKey('caller', identity), owner, isOnly: true };
  // The only caller over standard input is the one that started the process.
  if (http === undefined && hosting === undefined)
    return { key: formatKey('pipe', process), owner, isOnly: true };
  return session && { key: formatKey('session', session.id), owner, isOnly: false };
}

/** Returns where the values behind a handle are. */
export function buildHandlePlace(id: string, context: StateContext): StatePlace {
  return { key: formatKey('handle', id), owner: findOwner(context), isOnly: false };
}

function findOwner(context: StateContext): MemoryOwner {
  const { identity } = context;
  return identity === undefined ? { address: findStrangerAddress(context) } : { identity };
}

function formatKey(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url');
}

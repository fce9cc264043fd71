import { findStrangerAddress } from '../context/caller-address.js';
import { nameAccount } from '../memory/name-account.js';
import type { AuditedFacts } from './audited-facts.interface.js';

/** The owner of an event until it is stored. */
export interface AuditOwner {
  /** Tells callers apart; absent if everybody may have it. */
  readonly name: string | undefined;
  /** Whether nobody vouches for the caller: all of these have one share together. */
  readonly isStranger: boolean;
}

/** What reaches the process by no network. */
const LOCAL: AuditOwner = { name: undefined, isStranger: false };

/** Returns the owner of an event: a caller by its token, and everybody else by the address. */
export function findOwner({ type, carriage, sender }: AuditedFacts): AuditOwner {
  const identity = sender?.identity;
  if (identity !== undefined) return { name: nameAccount(identity), isStranger: false };
  if (carriage.http !== undefined) return { name: findStrangerAddress(carriage), isStranger: true };
  // What ends by itself comes with no message.
  const isEnd = type === 'session_ended' || type === 'task';
  return isEnd ? { name: sender?.address, isStranger: true } : LOCAL;
}

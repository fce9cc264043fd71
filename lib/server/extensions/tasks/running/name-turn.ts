import { findStrangerAddress } from '../../../context/caller-address.js';
import type { CallOrigin } from '../../../dispatch/hosted-call.interface.js';
import { nameAccount } from '../../../memory/name-account.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** Names whose turn a task takes: strangers have one for each address, since anybody begins as many sessions as they like. */
export function nameTurn(
  { owner, sessionId }: Pick<TaskRecord, 'owner' | 'sessionId'>,
  origin: CallOrigin,
): string | undefined {
  return owner === undefined ? (findStrangerAddress(origin) ?? sessionId) : nameAccount(owner);
}

import type { SlotClaim } from '../../../../core/waiting/fair-slots.js';

/** Says whose turn a request takes, and to whom it goes. Without an owner, the application itself sends, to any receiver. */
export function claimSlot(owner: string | undefined, receiver: URL): SlotClaim {
  return owner === undefined ? {} : { owner, target: receiver.href };
}

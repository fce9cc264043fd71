import type { SlotClaim } from '../../../../core/waiting/fair-slots.js';

/** Names the owner and the receiver of a request. Without an owner, the application itself sends, to any receiver. */
export function claimSlot(owner: string | undefined, receiver: URL): SlotClaim {
  return owner === undefined ? {} : { owner, target: receiver.href };
}

import { randomBytes } from 'node:crypto';

const MEMBER_BYTES = 6;

/** Gives a process a name among the processes of its server: twelve letters and digits that no other has. */
export function createMemberId(): string {
  return randomBytes(MEMBER_BYTES).toString('hex');
}

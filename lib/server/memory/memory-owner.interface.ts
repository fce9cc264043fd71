/** Who has something kept. */
export interface MemoryOwner {
  /** Tells callers apart; absent for a stranger, who brings no token. */
  readonly identity?: string | undefined;
  /** The address that a stranger counts for; absent if everybody may have it. */
  readonly address?: string | undefined;
}

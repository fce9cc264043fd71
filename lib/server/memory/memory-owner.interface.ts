/** Who has something kept. */
export interface MemoryOwner {
  /** Tells callers apart; absent for a stranger, who brings no token. */
  readonly identity?: string | undefined;
  /** The network that a stranger calls from; absent where it is not known. */
  readonly network?: string | undefined;
}

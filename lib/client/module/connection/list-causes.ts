/** What of an error tells its kind. */
export interface Fault {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Lists an error, its cause, the cause of that, as far as that makes sense. */
export function listCauses(error: unknown, depth = 5): readonly Fault[] {
  if (depth === 0 || typeof error !== 'object' || error === null) return [];
  return [error, ...listCauses((error as Fault).cause, depth - 1)];
}

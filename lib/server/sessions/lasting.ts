/** When a session ends that lasts as long as its connection. */
export const LASTING = Number.MAX_SAFE_INTEGER;

/** A text of Redis as clients return it; `null` or `undefined` if there is none. */
type Reply = string | number | Buffer | null | undefined;

/** Reads a text that a client returned. */
export function readText(reply: unknown): string | undefined {
  const text = reply as Reply;
  return text === null || text === undefined ? undefined : text.toString();
}

/** Reads a list of texts that a client returned. */
export function readTexts(reply: unknown): readonly (string | undefined)[] {
  return Array.isArray(reply) ? reply.map(readText) : [];
}

/** Reads a list of texts of which none is missing. */
export function listTexts(reply: unknown): readonly string[] {
  return readTexts(reply).map((text = '') => text);
}

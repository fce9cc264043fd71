/** What a client makes of a text of Redis; nothing if there is none. */
type Reply = string | number | Buffer | null | undefined;

/** Reads a text that Redis gave. */
export function readText(reply: unknown): string | undefined {
  const text = reply as Reply;
  return text === null || text === undefined ? undefined : text.toString();
}

/** Reads a list of texts that Redis gave. */
export function readTexts(reply: unknown): readonly (string | undefined)[] {
  return Array.isArray(reply) ? reply.map(readText) : [];
}

/** Reads a list of texts that Redis gave, in which none is missing. */
export function listTexts(reply: unknown): readonly string[] {
  return readTexts(reply).map((text = '') => text);
}

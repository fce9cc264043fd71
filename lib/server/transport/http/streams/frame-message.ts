/** Characters of a message that is remembered though nobody may need it any more. */
const LONGEST_REMEMBERED = 4096;

/** What was framed last. */
let framed: { readonly json: string; readonly id: string | undefined; readonly frame: string } | undefined;

/**
 * Frames a message as an event. A notification goes to many streams, one after the other and mostly under the same id. So what was framed
 * last is remembered: its parts are joined once, and not for each stream.
 *
 * @see HTML Living Standard §9.2
 */
export function frameMessage(json: string, id: string | undefined): string {
  if (framed?.id === id && framed?.json === json) return framed.frame;
  const head = id === undefined ? '' : `id: ${id}\n`;
  const frame = `event: message\n${head}data: ${json}\n\n`;
  if (json.length <= LONGEST_REMEMBERED) framed = { json, id, frame };
  return frame;
}

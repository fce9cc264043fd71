import { isObject } from '../../protocol/json-rpc.js';
import { parseJsonObject, type JsonObject } from '../../protocol/parse-json-object.js';

/** Finds the JSON-RPC response in a body of JSON or an event stream; its type does not matter. */
export function findResponse(body: string): JsonObject | undefined {
  const whole = parseJsonObject(body);
  if (whole !== undefined) return isResponse(whole) ? whole : undefined;
  return readEvents(body).find(isResponse);
}

function isResponse(value: JsonObject): boolean {
  return value['jsonrpc'] === '2.0' && (isObject(value['result']) || isObject(value['error']));
}

/** Parses the complete events. */
function readEvents(body: string): readonly JsonObject[] {
  const events = body.split(/\r\n\r\n|\n\n|\r\r/);
  return events.flatMap((event) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
    if (lines.length === 0) return [];
    const message = parseJsonObject(lines.map((line) => line.slice('data:'.length)).join('\n'));
    return message === undefined ? [] : [message];
  });
}

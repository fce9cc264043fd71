import { readResult } from '../../cli/bench/wire/read-result.js';
import { buildHandshake, type McpRequest } from '../../cli/bench/wire/mcp-request.js';
import type { RawResponse } from '../../cli/bench/wire/raw-response.js';
import { buildResourceDescriptions, buildToolDescriptions, readQueue } from './servers/fixtures.js';
import { PROTOCOL_VERSIONS, type Wire } from './wire.js';

/** What a server is asked, and what it has to answer. */
export interface Exchange {
  wire: Wire;
  message: McpRequest;
  /** Throws unless the result is the right one. */
  assertResult(result: Record<string, unknown>): void;
}

/**
 * Makes sure that an answer is the right one.
 *
 * @throws Error if it is not
 */
export function assertAnswer(answer: RawResponse, { assertResult }: Exchange): void {
  assertResult(readResult(answer));
}

export function buildCallExchange(wire: Wire): Exchange {
  return {
    wire,
    message: {
      method: 'tools/call',
      params: {
        name: buildToolDescriptions(1)[0]?.name,
        arguments: { query: 'printer', status: 'open', limit: 10 },
      },
    },
    assertResult: ({ content, isError }) => {
      assertEqual(isError ?? false, false);
      assertEqual((content as { text: string }[])[0]?.text, '10 open tickets match "printer"');
    },
  };
}

/** Builds the listing of so many tools. */
export function buildListExchange(wire: Wire, count: number): Exchange {
  return {
    wire,
    message: { method: 'tools/list', params: {} },
    assertResult: ({ tools }) => {
      const listed = tools as { name: string; inputSchema: { properties: object } }[];
      assertEqual(listed.length, count);
      assertEqual(listed.at(-1)?.name, buildToolDescriptions(count).at(-1)?.name);
      for (const { inputSchema } of listed) {
        assertEqual(Object.keys(inputSchema.properties).join(), 'query,status,limit,tags');
      }
    },
  };
}

/** Builds the reading of the first resource. */
export function buildReadExchange(wire: Wire): Exchange {
  const uri = buildResourceDescriptions(1)[0]?.uri;
  return {
    wire,
    message: { method: 'resources/read', params: { uri } },
    assertResult: ({ contents }) => {
      const [content] = contents as { uri: string; text: string }[];
      assertEqual(content?.uri, uri);
      assertEqual(content?.text, readQueue());
    },
  };
}

export function buildInitializeExchange(): Exchange {
  return {
    wire: 'handshake',
    message: buildHandshake(PROTOCOL_VERSIONS.handshake),
    assertResult: ({ protocolVersion }) => assertEqual(protocolVersion, PROTOCOL_VERSIONS.handshake),
  };
}

function assertEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected)
    throw new Error(`Expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

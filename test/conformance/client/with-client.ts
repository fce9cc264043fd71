import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { createAuthorizedFetch } from 'nestjs-mcp/client';
import type { Setup } from './setup.interface.js';
import { findTokenSource } from './token-sources.js';

/** What a scenario wants of its client. */
export interface ClientWish {
  readonly capabilities?: ClientOptions['capabilities'];
  /** Adds what answers the server, before it can ask. */
  readonly prepare?: (client: Client) => void;
}

/** Does work with a connected client, which brings tokens along where the scenario is about them. */
export async function withClient<Result>(
  setup: Setup,
  work: (client: Client) => Promise<Result>,
  { capabilities = {}, prepare }: ClientWish = {},
): Promise<Result> {
  const { serverUrl, revision } = setup;
  const client = new Client(
    { name: 'nestjs-mcp-conformance', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: selectMode(revision) } },
  );
  prepare?.(client);
  const tokenSource = await findTokenSource(setup);
  const send = tokenSource === undefined ? fetch : createAuthorizedFetch({ serverUrl, tokenSource });
  try {
    await client.connect(new StreamableHTTPClientTransport(serverUrl, { fetch: send }));
    return await work(client);
  } finally {
    await client.close();
  }
}

function selectMode(revision: string | undefined): VersionNegotiationMode {
  return revision === '2026-07-28' ? { pin: revision } : 'legacy';
}

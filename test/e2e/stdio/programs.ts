import { fileURLToPath } from 'node:url';

/** The server that these specs start; what it does is set by its environment. */
export const PROGRAM = fileURLToPath(
  new URL('../../../.build/test/programs/stdio-server.js', import.meta.url),
);

/** The token that the server takes: of Ada, who may read and write. */
export const TOKEN = 'a-fixed-token-of-the-desk';

/** What a request of the stateless wire carries. */
export const PER_REQUEST_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

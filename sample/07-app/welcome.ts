import type { Tokens } from './board.module.js';

const REVISION = '2026-07-28';

const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  },
});

/** Says where the board is, and what to do with it first. */
export function welcome(url: string, { reading, writing }: Tokens): string {
  return `
The board serves MCP at ${url} (Ctrl+C ends it), to whoever has one of its tokens:

  READING=${reading}
  WRITING=${writing}

Give a host that shows apps the URL and a token, and ask it for the board. Or look at what hosts get, in another terminal:

  call() { curl -sN ${url} -H "authorization: Bearer $READING" -H 'content-type: application/json' \\
    -H 'mcp-protocol-version: ${REVISION}' -H "mcp-method: $1" -H "mcp-name: $2" \\
    -d '{"jsonrpc":"2.0","id":1,"method":"'$1'","params":{'"$3"',"_meta":${META}}}'; echo; }
  call tools/call show_board '"name":"show_board"'
  call resources/read ui://board/board.html '"uri":"ui://board/board.html"'

See the app in a browser, with clicks, within a few seconds: npm run demo:app
`;
}

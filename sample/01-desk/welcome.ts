const VERSION = '2026-07-28';

/** What to do with a desk that has just started. */
export function welcome(url: string): string {
  return `
The support desk serves MCP: open ${url} in a browser (Ctrl+C ends it)

Or ask it what is urgent:

${searchUrgent(url)}

Look at it with the official inspector (Node 22.19 or newer):

  npx @modelcontextprotocol/inspector@2 --transport http --server-url ${url}
  npx @modelcontextprotocol/inspector@2 --cli ${url} --transport http --method tools/list

Add it to a desktop client or an IDE, in the file where it keeps its MCP servers:

${indent(JSON.stringify({ mcpServers: { desk: { type: 'http', url } } }, null, 2))}

and in VS Code, as .vscode/mcp.json:

${indent(JSON.stringify({ servers: { desk: { type: 'http', url } } }, null, 2))}

See everything at work, from a client's side: npm run demo
`;
}

/** One request of the revision without a handshake: it needs nothing before it. */
function searchUrgent(url: string): string {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'search_tickets',
      arguments: { priority: 'urgent', status: 'open' },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  return [
    `  curl -s ${url} \\`,
    `    -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\`,
    `    -H 'mcp-protocol-version: ${VERSION}' -H 'mcp-method: tools/call' -H 'mcp-name: search_tickets' \\`,
    `    -d '${JSON.stringify(message)}'`,
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** What to do with a desk that has just started. */
export function welcome(url: string, issuer: string): string {
  return `
The protected desk serves MCP at ${url} (Ctrl+C ends it)
Its authorization server is ${issuer}: log in with any name

See what a client without a token is told:

  curl -si -H 'accept: text/event-stream' ${url}

Connect a client: it opens the browser, and again when it first writes

  claude mcp add --transport http desk ${url}
  npx @modelcontextprotocol/inspector@2 --transport http --server-url ${url}

or, in the file where the client keeps its MCP servers,

${indent(JSON.stringify({ mcpServers: { desk: { type: 'http', url } } }, null, 2))}

and for clients that speak stdio alone

${indent(JSON.stringify({ mcpServers: { desk: { command: 'npx', args: ['mcp-remote', url] } } }, null, 2))}

See the whole exchange, without a browser: npm run demo:protected
`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

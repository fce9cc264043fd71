const REVISION = '2026-07-28';

const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
});

/** Says where the office is, and what to do with it first. */
export function welcome(url: string, token: string): string {
  return `
The report office serves MCP at ${url} (Ctrl+C ends it), to whoever has its token.

Paste this into another terminal:

  TOKEN=${token}
  call() { curl -sN ${url} -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
    -H 'mcp-protocol-version: ${REVISION}' -H "mcp-method: $1" -H "mcp-name: $2" \\
    -d '{"jsonrpc":"2.0","id":1,"method":"'$1'","params":{'"$3"',"_meta":${META}}}'; echo; }

Order a report, and look after it; half a minute later it is "input_required", and asks for the format:

  call tools/call write_report '"name":"write_report","arguments":{"topic":"the harbour"}'
  TASK=... # the "taskId" of the answer
  call tasks/get $TASK '"taskId":"'$TASK'"'
  call tasks/update $TASK '"taskId":"'$TASK'","inputResponses":{"format":{"action":"accept","content":{"format":"html"}}}'

Hear when reports are finished:

  call events/stream report.finished '"name":"report.finished"'

See all of it, and webhooks, within a few seconds: npm run demo:reports
`;
}

import { describe, expect, it } from '@jest/globals';
import { nameServer } from '../../../lib/core/clients/describe-server.js';
import { buildInstructions } from '../../../explorer/panels/client-instructions.js';

const URL_OF_DESK = 'http://127.0.0.1:3000/mcp';

const readCode = (link: string): unknown =>
  JSON.parse(decodeURIComponent(link.slice('vscode:mcp/install?'.length)));
const readCursor = (link: string): unknown =>
  JSON.parse(Buffer.from(new URL(link).searchParams.get('config') ?? '', 'base64').toString());

describe('nameServer()', () => {
  it.each([
    ['@acme/desk', 'desk'],
    ['The desk', 'The-desk'],
    ['!', 'server'],
  ])('calls "%s" as the command line does: "%s" (WAY-02)', (given, name) => {
    expect(nameServer(given)).toBe(name);
  });
});

describe('buildInstructions()', () => {
  it('has each client ask for a fixed token, or read it by a name (WAY-02)', () => {
    const { codeLink, cursorLink, claude, bridge, others, command } = buildInstructions(
      'desk',
      URL_OF_DESK,
      'token',
    );
    expect(readCode(codeLink)).toEqual({
      name: 'desk',
      type: 'http',
      url: URL_OF_DESK,
      headers: { Authorization: 'Bearer ${input:desk-token}' },
      inputs: [{ type: 'promptString', id: 'desk-token', description: 'desk: token', password: true }],
    });
    expect(readCursor(cursorLink)).toEqual({
      url: URL_OF_DESK,
      headers: { Authorization: 'Bearer ${env:DESK_TOKEN}' },
    });
    expect(claude).toBe(
      `claude mcp add --transport http desk ${URL_OF_DESK} --header "Authorization: Bearer $DESK_TOKEN"`,
    );
    expect(bridge).toEqual({
      mcpServers: {
        desk: {
          command: 'npx',
          args: ['-y', 'mcp-remote', URL_OF_DESK, '--header', 'Authorization:${DESK_TOKEN}'],
          env: { DESK_TOKEN: 'Bearer <token>' },
        },
      },
    });
    expect(others.headers).toEqual({ Authorization: 'Bearer <token>' });
    expect(command.text).toBe(
      `npx nestjs-mcp-cli add vscode ${URL_OF_DESK} --name desk --token-env DESK_TOKEN`,
    );
  });

  it.each(['open', 'login'] as const)('has no header at a server that is %s (WAY-02)', (access) => {
    const { codeLink, cursorLink, ...rest } = buildInstructions('desk', URL_OF_DESK, access);
    expect(readCode(codeLink)).toEqual({ name: 'desk', type: 'http', url: URL_OF_DESK });
    expect(readCursor(cursorLink)).toEqual({ url: URL_OF_DESK });
    expect(JSON.stringify({ ...rest, command: rest.command.text })).not.toMatch(/header"|token/i);
  });
});

import { AuthorizationServer } from './authorization-server.js';
import { DESK_SCOPES } from './scopes.js';

const { RESOURCE = 'http://127.0.0.1:3000/mcp', AUTHORIZATION_PORT = '3001', SCOPES = '' } = process.env;

try {
  const resource = new URL(RESOURCE).href;
  const named = SCOPES.split(' ').filter((scope) => scope !== '');
  const scopes = named.length === 0 ? DESK_SCOPES : named;
  const server = await AuthorizationServer.start({ port: Number(AUTHORIZATION_PORT), resource, scopes });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
  process.stdout.write(welcome(server.issuer, resource, scopes));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `The authorization server cannot start on the port "${AUTHORIZATION_PORT}" for "${RESOURCE}": ${reason}; choose others by AUTHORIZATION_PORT and RESOURCE\n`,
  );
  process.exit(1);
}

function welcome(issuer: string, resource: string, scopes: readonly string[]): string {
  return `
The authorization server is ${issuer} (Ctrl+C ends it): log in with any name
It gives tokens for ${resource} with the scopes ${scopes.join(' ')}

The server there takes them by

  publicUrl: '${resource}',
  auth: {
    authorizationServers: ['${issuer}'],
    jwt: {},
  },
`;
}

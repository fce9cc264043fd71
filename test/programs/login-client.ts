/** Calls a server that wants a token, with credentials in `FOLDER`, and prints where its user has to log in and what came of it. */
import { createAuthorizedFetch, FileCredentialStore, OAuthTokenSource } from 'nestjs-mcp/client';

const { FOLDER = '', SERVER_URL: serverUrl = '' } = process.env;

const tokenSource = new OAuthTokenSource({
  serverUrl,
  store: new FileCredentialStore({ folder: FOLDER }),
  openBrowser: async (address) => void process.stdout.write(`open ${address}\n`),
});
const call = createAuthorizedFetch({ serverUrl, tokenSource });

try {
  process.stdout.write(`answered ${(await call(serverUrl)).status}\n`);
} catch (error) {
  process.stdout.write(`failed ${String(error)}\n`);
}

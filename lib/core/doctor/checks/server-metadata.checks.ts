import { omitEmpty } from '../../oauth/omit-empty.js';
import { readPublicKey } from '../../oauth/read-public-key.js';
import type { JsonObject } from '../../protocol/json-rpc.js';
import type { AuthorizationFacts, ServerFacts } from '../authorization-facts.js';
import { type Check, failure, type FindingStatus, ok, type Outcome, quote, warning } from '../finding.js';

/** Evaluates an authorization server's metadata. */
type MetadataCheck = (
  document: JsonObject,
  server: ServerFacts,
  facts: AuthorizationFacts,
) => Outcome | undefined | Promise<Outcome | undefined>;

/** The authorization servers' metadata (RFC 8414, OpenID Connect Discovery). */
export const SERVER_METADATA_CHECKS: readonly Check[] = [
  { id: 'server-metadata', run: async ({ authorization }) => checkFound(await authorization.servers()) },
  createCheck('server-issuer', judgeIssuer),
  createCheck('server-endpoints', judgeEndpoints),
  createCheck('server-pkce', judgePkce),
  createCheck('server-iss', judgeIss),
  createCheck('server-registration', judgeRegistration),
  createCheck('server-keys', judgeKeys),
];

const SEVERITY: readonly FindingStatus[] = ['error', 'warning', 'skipped', 'ok'];

/** Runs a check for each server, and reports the worst outcome. */
function createCheck(id: string, judge: MetadataCheck): Check {
  return {
    id,
    run: async ({ authorization }) => {
      const servers = await authorization.servers();
      const outcomes: Outcome[] = [];
      for (const server of servers) {
        const document = server.found?.document;
        const outcome = document && (await judge(omitEmpty(document), server, authorization));
        if (outcome !== undefined) outcomes.push(outcome);
      }
      return SEVERITY.map((status) => outcomes.find((one) => one.status === status)).find(Boolean);
    },
  };
}

function checkFound(servers: readonly ServerFacts[]): Outcome | undefined {
  if (servers.length === 0) return undefined;
  const lost = servers.find(({ found }) => found === undefined);
  if (lost?.isUnreadable === true) {
    return warning(
      `The metadata of ${quote(lost.issuer)} could not be read: it ${lost.problem}`,
      'Allow pages to read it if browser clients should log in, or run the doctor from the command line',
    );
  }
  if (lost !== undefined) {
    return failure(
      `${quote(lost.issuer)} has no metadata at any well-known URL (the last one ${lost.problem})`,
      'Check the issuer, and that it can be reached from here',
    );
  }
  return ok(servers.map(({ found }) => `Found at ${quote(found?.url)}`).join('; '));
}

function judgeIssuer({ issuer }: JsonObject, server: ServerFacts): Outcome {
  if (issuer === server.issuer) return ok('"issuer" matches the resource metadata');
  return failure(
    `"issuer" is ${quote(issuer)}, but the resource metadata lists ${quote(server.issuer)}`,
    'Use this exact value in "authorization_servers": clients reject any difference, even a slash',
  );
}

function judgeEndpoints(document: JsonObject, { issuer }: ServerFacts): Outcome {
  const missing = ['authorization_endpoint', 'token_endpoint'].find(
    (name) => typeof document[name] !== 'string',
  );
  if (missing === undefined) return ok('The authorization and token endpoints are listed');
  return failure(
    `${quote(issuer)} does not list "${missing}"`,
    'Complete the metadata of the authorization server',
  );
}

function judgePkce(
  { code_challenge_methods_supported: methods }: JsonObject,
  { issuer }: ServerFacts,
): Outcome {
  if (Array.isArray(methods) && methods.includes('S256')) return ok('PKCE with S256 is supported');
  return failure(
    `${quote(issuer)} does not declare support for PKCE with S256`,
    'Add "S256" to "code_challenge_methods_supported", or serve your own metadata: clients refuse to continue without it',
  );
}

function judgeIss(
  { authorization_response_iss_parameter_supported: isSent }: JsonObject,
  { issuer }: ServerFacts,
): Outcome {
  if (isSent === true) return ok('Authorization responses contain "iss"');
  return ok(
    `${quote(issuer)} does not declare "iss" in authorization responses`,
    'Enable it if the authorization server can (RFC 9207): clients of several authorization servers then detect mix-up attacks',
  );
}

function judgeRegistration(document: JsonObject, { issuer }: ServerFacts): Outcome {
  const ways = [
    ...(document['client_id_metadata_document_supported'] === true ? ['client ID metadata documents'] : []),
    ...(typeof document['registration_endpoint'] === 'string' ? ['dynamic registration'] : []),
  ];
  if (ways.length > 0) return ok(`Clients register with ${ways.join(' or ')}`);
  return warning(
    `${quote(issuer)} does not let clients register themselves`,
    'Allow client ID metadata documents or dynamic registration, or give each client a client id',
  );
}

async function judgeKeys(
  { jwks_uri: url }: JsonObject,
  { issuer }: ServerFacts,
  facts: AuthorizationFacts,
): Promise<Outcome | undefined> {
  if (url === undefined) return ok(`${quote(issuer)} publishes no keys, so its tokens are opaque`);
  const fix = 'Publish the public keys for token signatures as a JWK set';
  if (typeof url !== 'string' || !URL.canParse(url))
    return failure(`"jwks_uri" is not a URL: ${quote(url)}`, fix);
  const { document, problem, isUnreadable } = await facts.fetchKeys(url);
  if (isUnreadable === true) return undefined;
  if (document === undefined) return failure(`The key set at ${quote(url)} ${problem}`, fix);
  const { keys } = document;
  const usable = Array.isArray(keys) ? keys.filter((key) => readPublicKey(key) !== undefined).length : 0;
  if (usable > 0) return ok(`${usable} public ${usable === 1 ? 'key' : 'keys'} for signatures`);
  return failure(`The key set at ${quote(url)} has no public key for signatures`, fix);
}

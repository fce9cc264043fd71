import { failure, ok, warning } from '../../core/doctor/finding.js';
import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import { quoteAll } from '../../core/words/quote-all.js';
import type { AuthSettings } from '../settings/auth/auth-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Judgement, SettingsCheck } from './production-check.js';

/** The access to the server, and its public URL. */
export const ACCESS_CHECKS: readonly SettingsCheck[] = [
  { id: 'open-server', judge: judgeOpen },
  { id: 'public-url', judge: judgePublicUrl },
  { id: 'issuer', judge: ({ auth }) => auth && judgeIssuers(auth) },
  { id: 'audience', judge: ({ auth }) => auth && judgeAudience(auth) },
  { id: 'origins', judge: judgeOrigins },
];

function judgeOpen({ auth, isMeantOpen }: ServerSettings): Judgement {
  if (auth !== undefined) return ok('Requests need a token');
  if (isMeantOpen) return ok('Everybody may call it, as "auth: false" says');
  return failure('Everybody may call it', 'Give "auth", or write "auth: false" if that is meant');
}

function judgePublicUrl({ publicUrl }: ServerSettings): Judgement {
  const example = '"https://shop.example.com/mcp"';
  if (publicUrl === undefined) {
    return warning(
      '"publicUrl" is missing: pages of its own origin are refused',
      `Write the URL that clients use, such as ${example}`,
    );
  }
  const { href, protocol } = publicUrl;
  if (isLoopbackUrl(href)) {
    return failure(
      `"${href}" leads clients to their own machine`,
      `Write the URL that clients use, such as ${example}`,
    );
  }
  if (protocol !== 'https:')
    return failure(`"${href}" lets tokens travel in the clear`, 'Serve it by "https:", and write that');
  return ok(`Clients use "${href}"`);
}

function judgeIssuers({ authorizationServers, jwt, introspection, insecureHosts }: AuthSettings): Judgement {
  const issuers = [
    ...authorizationServers,
    ...jwt.flatMap((one) => one.issuers),
    ...(introspection ? [introspection.issuer] : []),
  ];
  const insecure = [...new Set(issuers)].filter((issuer) => !issuer.startsWith('https:'));
  if (insecure.length > 0) {
    return failure(
      `Issuers are reached by plain "http": ${quoteAll(insecure)}`,
      'Use "https": anyone on the network path could supply false keys',
    );
  }
  if (insecureHosts.length === 0) return ok('Issuers are reached by "https"');
  return warning(
    `"auth.insecureHosts" has ${quoteAll(insecureHosts)}`,
    'Take out what is not needed any more',
  );
}

function judgeAudience({ jwt, introspection }: AuthSettings): Judgement {
  const exits = [
    ...(jwt.some(({ clientsWithoutAudience }) => clientsWithoutAudience.length > 0)
      ? ['auth.jwt.clientsWithoutAudience']
      : []),
    ...(jwt.some(({ audienceClaim }) => audienceClaim !== 'aud') ? ['auth.jwt.audienceClaim'] : []),
    ...(introspection?.unsafeAllowMissingAudience === true
      ? ['auth.introspection.unsafeAllowMissingAudience']
      : []),
  ];
  if (exits.length === 0) return ok('Tokens must be meant for this server');
  return warning(
    `Tokens that were issued for other services may be taken: ${quoteAll(exits)}`,
    'Have the authorization server write the audience, and remove the option',
  );
}

function judgeOrigins({ allowedOrigins, cors, auth }: ServerSettings): Judgement {
  const lists = { allowedOrigins: allowedOrigins, 'cors.origins': cors?.origins ?? [] };
  const open = Object.entries(lists).flatMap(([name, origins]) => (origins.includes('*') ? [name] : []));
  if (open.length === 0) return ok('Only pages of listed origins may call');
  if (auth !== undefined) return ok('Pages of any site may call, with a token');
  return warning(`Pages of any site may call, without a token: ${quoteAll(open)}`, 'List the origins');
}

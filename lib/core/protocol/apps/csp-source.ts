/** Finds the problem with an origin in a content security policy. Returns `undefined` for a valid one. */
export function findSourceProblem(source: unknown, schemes: readonly string[]): string | undefined {
  const example = schemes.map((scheme) => `"${scheme}://api.example.com"`).join(' or ');
  if (typeof source !== 'string' || source === '') return `must be an origin such as ${example}`;
  const parts = SOURCE.exec(source);
  if (parts === null) {
    return `must be an origin such as ${example}, with "*." in front of the host for all its subdomains, without a path`;
  }
  const { scheme = '' } = parts.groups ?? {};
  if (!schemes.includes(scheme.toLowerCase())) {
    return `must start with ${schemes.map((one) => `"${one}://"`).join(' or ')}`;
  }
  return undefined;
}

/**
 * Returns whether one of a directive's sources allows a URL.
 *
 * @see CSP Level 3 §6.7.2.8, "Does url match expression in origin with redirect count?"
 */
export function allowsUrl(sources: readonly string[], url: URL): boolean {
  return sources.some((source) => {
    const { scheme = '', host = '', port } = SOURCE.exec(source)?.groups ?? {};
    return (
      isScheme(scheme.toLowerCase(), url.protocol.slice(0, -1)) &&
      isHost(host.toLowerCase(), url.hostname) &&
      isPort(port, scheme.toLowerCase(), url)
    );
  });
}

/** A scheme, a host with or without a wildcard, and a port; a trailing slash has no meaning. */
const SOURCE =
  /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/(?<host>(?:\*\.)?(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9A-Fa-f:.]+\])(?::(?<port>\d{1,5}|\*))?\/?$/;

/** Maps each scheme to the schemes it also allows: its TLS variant. */
const SECURED: Readonly<Record<string, readonly string[]>> = {
  http: ['https'],
  ws: ['wss', 'http', 'https'],
  wss: ['https'],
};

function isScheme(source: string, scheme: string): boolean {
  return source === scheme || SECURED[source]?.includes(scheme) === true;
}

function isHost(source: string, host: string): boolean {
  return source.startsWith('*.') ? host.endsWith(source.slice(1)) : source === host;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', ws: '80', https: '443', wss: '443' };

function isPort(port: string | undefined, scheme: string, { port: given, protocol }: URL): boolean {
  if (port === '*') return true;
  const asked = given === '' ? DEFAULT_PORTS[protocol.slice(0, -1)] : given;
  const allowed = port ?? DEFAULT_PORTS[scheme];
  // Port 80 also matches 443 once the scheme is the secure one.
  return asked === allowed || (allowed === '80' && asked === '443');
}

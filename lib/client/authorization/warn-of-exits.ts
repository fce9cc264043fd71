import { quoteAll } from '../../core/words/quote-all.js';

/** The exits from safe defaults of a client. */
export interface ClientExits {
  readonly insecureHosts?: readonly string[] | undefined;
  readonly ignoreIssuerSlash?: boolean | undefined;
  readonly assumeS256?: readonly string[] | undefined;
  readonly assertionAudience?: string | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Nobody has this many settings. Further ones are not listed. */
const MOST_WARNINGS = 100;

/** What this process was told already: sources are created for each user, and the line is about the program. */
const told = new Set<string>();

/** Tells, when a client is created, which defaults it gives up. */
export function warnOfExits(exits: ClientExits): void {
  const { onWarning = warnOnce } = exits;
  for (const text of describeExits(exits)) onWarning(text);
}

function warnOnce(text: string): void {
  if (told.has(text) || told.size >= MOST_WARNINGS) return;
  told.add(text);
  process.emitWarning(text, { type: 'McpClientWarning' });
}

function describeExits(exits: ClientExits): readonly string[] {
  const { insecureHosts = [], assumeS256 = [] } = exits;
  const texts: string[] = [];
  if (insecureHosts.length > 0) {
    texts.push(
      `"insecureHosts" has ${quoteAll(insecureHosts)}: tokens and secrets travel there by "http", and anyone on the network path can read them`,
    );
  }
  if (exits.ignoreIssuerSlash === true) {
    texts.push(
      '"ignoreIssuerSlash" is true: issuers that differ by a slash at the end are taken for the same',
    );
  }
  if (assumeS256.length > 0) {
    texts.push(
      `"assumeS256" has ${quoteAll(assumeS256)}: codes of a login there can be stolen if it does not check PKCE with S256`,
    );
  }
  if (exits.assertionAudience === 'token_endpoint') {
    texts.push(
      '"assertionAudience" is "token_endpoint": assertions name a URL that another authorization server could claim as its own',
    );
  }
  return texts;
}

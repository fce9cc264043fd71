import { quoteAll } from '../../core/words/words.js';

/** The options that disable a safe default. */
interface UnsafeOptions {
  readonly insecureHosts?: readonly string[] | undefined;
  readonly ignoreIssuerSlash?: boolean | undefined;
  readonly assumeS256?: readonly string[] | undefined;
  readonly assertionAudience?: string | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** The maximum number of warnings per process. Further ones are dropped. */
const MOST_WARNINGS = 100;

/**
 * Warnings that this process has already emitted. There may be one source per user, but the warning is about the
 * program.
 */
const emitted = new Set<string>();

/** Emits a warning for each safe default that the options disable. */
export function warnOfUnsafeOptions(options: UnsafeOptions): void {
  const { onWarning = warnOnce } = options;
  for (const warning of describeUnsafeOptions(options)) onWarning(warning);
}

function warnOnce(warning: string): void {
  if (emitted.has(warning) || emitted.size >= MOST_WARNINGS) return;
  emitted.add(warning);
  process.emitWarning(warning, { type: 'McpClientWarning' });
}

function describeUnsafeOptions(options: UnsafeOptions): readonly string[] {
  const { insecureHosts = [], assumeS256 = [] } = options;
  const warnings: string[] = [];
  if (insecureHosts.length > 0) {
    warnings.push(
      `"insecureHosts" contains ${quoteAll(insecureHosts)}: tokens and secrets are sent there over "http", and anyone on the network path can read them`,
    );
  }
  if (options.ignoreIssuerSlash === true) {
    warnings.push(
      '"ignoreIssuerSlash" is true: issuers that differ only in a trailing slash are treated as the same issuer',
    );
  }
  if (assumeS256.length > 0) {
    warnings.push(
      `"assumeS256" contains ${quoteAll(assumeS256)}: login codes from there can be stolen if it does not check PKCE with S256`,
    );
  }
  if (options.assertionAudience === 'token_endpoint') {
    warnings.push(
      '"assertionAudience" is "token_endpoint": assertions name a URL that another authorization server could claim as its own',
    );
  }
  return warnings;
}

import type { AppCsp } from '../../index.js';

/**
 * Gives the header with which a host limits a page to its declaration.
 *
 * @see SEP-1865, "Content Security Policy Enforcement"
 */
export function formatCsp({
  connectDomains = [],
  resourceDomains = [],
  frameDomains = [],
  baseUriDomains = [],
}: AppCsp): string {
  const directives: readonly (readonly [string, readonly string[]])[] = [
    ['default-src', ["'none'"]],
    ['script-src', ["'self'", "'unsafe-inline'", ...resourceDomains]],
    ['style-src', ["'self'", "'unsafe-inline'", ...resourceDomains]],
    ['connect-src', ["'self'", ...connectDomains]],
    ['img-src', ["'self'", 'data:', ...resourceDomains]],
    ['font-src', ["'self'", ...resourceDomains]],
    ['media-src', ["'self'", 'data:', ...resourceDomains]],
    ['frame-src', orElse(frameDomains, "'none'")],
    ['object-src', ["'none'"]],
    ['base-uri', orElse(baseUriDomains, "'self'")],
  ];
  return directives.map(([name, sources]) => `${name} ${sources.join(' ')}`).join('; ');
}

function orElse(sources: readonly string[], none: string): readonly string[] {
  return sources.length === 0 ? [none] : sources;
}
